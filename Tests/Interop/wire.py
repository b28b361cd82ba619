"""HTTP/2 connections whose frames are made by hand, for clients that do not keep to the rules (RFC 9113)."""

import socket
import ssl
import struct
import time

from hpack import Decoder, Encoder

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PROTOCOL_ERROR, COMPRESSION_ERROR, CANCEL, ENHANCE_YOUR_CALM = 1, 9, 8, 11
PATIENCE = 60


def frame(kind, payload=b"", flags=0, stream=0):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def headers(stream, block, ends=False, complete=True):
    return frame(HEADERS, block, (END_STREAM if ends else 0) | (END_HEADERS if complete else 0), stream)


def data(stream, body=b"", ends=False):
    return frame(DATA, body, END_STREAM if ends else 0, stream)


def reset(stream, code=CANCEL):
    return frame(RST_STREAM, struct.pack(">I", code), 0, stream)


class Connection:
    """One TLS connection to a gateway; reads only when asked to."""

    def __init__(self, gateway, *, alpn=("h2",), begin=True, receive_buffer=None):
        raw = socket.socket()
        if receive_buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        raw.settimeout(PATIENCE)
        raw.connect(("127.0.0.1", gateway.port))
        context = ssl.create_default_context(cafile=gateway.ca)
        if alpn:
            context.set_alpn_protocols(list(alpn))
        self.tls = context.wrap_socket(raw, server_hostname="localhost")
        self.encoder, self.decoder = Encoder(), Decoder()
        self.buffer = bytearray()
        self.stream = -1
        self.answers = {}
        self.resets = {}
        self.goaway = None
        self.limit = None
        self.is_closed = False
        self.bodies = {}
        self.windows = {0: 65535}
        self.ended = set()
        if begin:
            self.send(PREFACE + frame(SETTINGS))
            self.read(lambda: self.limit is not None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.tls.close()

    def send(self, payload):
        self.tls.sendall(payload)

    def try_send(self, payload):
        """Sends as far as the gateway lets it; answers whether all went out."""
        try:
            self.send(payload)
            return True
        except (OSError, ssl.SSLError):
            return False

    def next_stream(self):
        self.stream += 2
        return self.stream

    def head(self, request):
        fields = [(":method", request.method), (":scheme", "https"), (":authority", "localhost"), (":path", request.path)]
        return self.encoder.encode(fields + request.headers)

    def ask(self, request):
        """Sends a request whole and gives the answer's status, or nothing when the stream was reset."""
        stream = self.next_stream()
        self.send(headers(stream, self.head(request)) + data(stream, request.body, ends=True))
        self.read(lambda: stream in self.ended or stream in self.resets)
        return self.answers.get(stream, {}).get(":status")

    def send_body(self, stream, body):
        """Sends a body as far as the gateway's windows allow, until it is all there or the stream has ended."""
        position = 0
        self.windows.setdefault(stream, 65535)

        def is_over():
            return stream in self.resets or stream in self.ended

        while position < len(body) and not is_over():
            room = min(self.windows[0], self.windows[stream])
            if room <= 0:
                self.read(lambda: min(self.windows[0], self.windows[stream]) > 0 or is_over())
                assert not self.is_closed
                continue
            piece = body[position : position + min(room, 16384)]
            position += len(piece)
            self.windows[0] -= len(piece)
            self.windows[stream] -= len(piece)
            self.send(data(stream, piece, ends=position == len(body)))

    def read(self, until=lambda: False):
        """Takes frames until a condition holds or the gateway closes; gives whether it holds."""
        deadline = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < deadline, "the gateway does not answer"
            try:
                piece = self.tls.recv(1 << 16)
            except (ConnectionError, ssl.SSLError):
                piece = b""
            if not piece:
                self.is_closed = True
                return until()
            self.buffer += piece
            self._take()
        return True

    def read_to_end(self):
        self.read()
        assert self.is_closed

    def discard(self, seconds):
        """Reads and forgets what comes; gives whether the gateway closed before it was silent for so long."""
        self.tls.settimeout(seconds)
        try:
            while self.tls.recv(1 << 20):
                pass
            return True
        except TimeoutError:
            return False
        except OSError:
            return True
        finally:
            self.tls.settimeout(PATIENCE)

    def _take(self):
        offset = 0
        while len(self.buffer) - offset >= 9:
            count = int.from_bytes(self.buffer[offset : offset + 3], "big")
            if len(self.buffer) - offset < 9 + count:
                break
            kind, flags = self.buffer[offset + 3], self.buffer[offset + 4]
            stream = int.from_bytes(self.buffer[offset + 5 : offset + 9], "big")
            self._handle(kind, flags, stream, bytes(self.buffer[offset + 9 : offset + 9 + count]))
            offset += 9 + count
        del self.buffer[:offset]

    def _handle(self, kind, flags, stream, payload):
        if kind == HEADERS:
            self.answers[stream] = dict(self.decoder.decode(payload))
        elif kind == DATA:
            self.bodies[stream] = self.bodies.get(stream, b"") + payload
        elif kind == RST_STREAM:
            self.resets[stream] = int.from_bytes(payload, "big")
        elif kind == GOAWAY:
            self.goaway = int.from_bytes(payload[4:8], "big")
        elif kind == SETTINGS and not flags & ACK:
            for start in range(0, len(payload), 6):
                name, value = struct.unpack_from(">HI", payload, start)
                if name == 3:
                    self.limit = value
            self.try_send(frame(SETTINGS, flags=ACK))
        elif kind == WINDOW_UPDATE:
            self.windows[stream] = self.windows.get(stream, 65535) + int.from_bytes(payload, "big")
        if kind in (HEADERS, DATA) and flags & END_STREAM:
            self.ended.add(stream)
