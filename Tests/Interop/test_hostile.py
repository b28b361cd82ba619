"""Clients that mean harm or know no better: after each, the same gateway serves an ordinary client."""

import os
import socket
import ssl
import time
import urllib.request

import pytest

import credentials
import refusals
from gateway import Gateway
from wire import (
    CANCEL, COMPRESSION_ERROR, CONTINUATION, DATA, END_HEADERS, ENHANCE_YOUR_CALM, PING, PREFACE, PRIORITY,
    PROTOCOL_ERROR, SETTINGS, WINDOW_UPDATE, Connection, data, frame, headers, reset,
)


@pytest.fixture
def request_(gateway, device, provider_token):
    return refusals.correct(gateway, device, provider_token)


@pytest.fixture(autouse=True)
def still_serves(gateway, device, provider_token):
    """The point of it all: whatever a test did, the next client is served, and soon."""
    yield
    begin = time.monotonic()
    with Connection(gateway) as connection:
        assert connection.ask(refusals.correct(gateway, device, provider_token)) == "200"
    assert time.monotonic() - begin < 10
    assert gateway.process.poll() is None


def resident_bytes(gateway):
    with open(f"/proc/{gateway.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def is_refused(connection, code=None):
    """Reads to the end; the gateway must have closed, and said why where that can arrive."""
    connection.read_to_end()
    return connection.goaway in ((None, code) if code is not None else (None, PROTOCOL_ERROR, ENHANCE_YOUR_CALM))


# Sizes

@pytest.mark.parametrize("size, status", [(4096, "200"), (4097, "413"), (1 << 20, "413")])
def test_a_large_body_is_refused_and_the_connection_goes_on(gateway, request_, size, status):
    with Connection(gateway) as connection:
        stream = connection.next_stream()
        body = b'{"aps":{"alert":"' + b"x" * (size - 20) + b'"}}'
        assert len(body) == size
        connection.send(headers(stream, connection.head(request_)))
        connection.send_body(stream, body)
        connection.read(lambda: stream in connection.ended)
        assert connection.answers[stream][":status"] == status
        if status == "413":
            assert b"PayloadTooLarge" in connection.bodies[stream]
        assert connection.ask(request_) == "200"


def test_a_body_of_ten_megabytes_is_cut_off_and_the_connection_goes_on(gateway, request_):
    with Connection(gateway) as connection:
        stream = connection.next_stream()
        connection.send(headers(stream, connection.head(request_)))
        connection.send_body(stream, b" " * (10 << 20))
        connection.read(lambda: stream in connection.ended or stream in connection.resets)
        assert connection.answers.get(stream, {}).get(":status") == "413" or (
            connection.resets[stream] == ENHANCE_YOUR_CALM
        )
        assert connection.ask(request_) == "200"


@pytest.mark.parametrize("size", [7000, 16000])
def test_a_header_list_above_the_limit_is_answered_with_431(gateway, request_, size):
    with Connection(gateway) as connection:
        request_.headers.append(("x-long", "v" * size))
        block = connection.head(request_)
        request_.headers.pop()
        stream = connection.next_stream()
        first, rest = block[:16000], block[16000:]
        connection.send(headers(stream, first, complete=not rest))
        if rest:
            connection.send(frame(CONTINUATION, rest, END_HEADERS, stream))
        connection.send(data(stream, b"{}", ends=True))
        connection.read(lambda: stream in connection.ended)
        assert connection.answers[stream][":status"] == ("431" if size > 8000 else "200")


@pytest.mark.parametrize("size", [60_000, 100_000])
def test_a_path_without_end_is_refused(gateway, request_, size):
    with Connection(gateway) as connection:
        path, request_.path = request_.path, "/3/device/" + "ab" * (size // 2)
        block = connection.encoder.encode(
            [(":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", request_.path)],
            huffman=False,
        )
        request_.path = path
        stream = connection.next_stream()
        connection.try_send(headers(stream, block[:16000], ends=True, complete=False))
        for start in range(16000, len(block), 16000):
            piece = block[start : start + 16000]
            connection.try_send(frame(CONTINUATION, piece, END_HEADERS if start + 16000 >= len(block) else 0, stream))
        connection.read(lambda: stream in connection.ended)
        if stream in connection.ended:
            assert connection.answers[stream][":status"] == "431"
        else:
            assert connection.is_closed and connection.goaway in (None, COMPRESSION_ERROR)


def test_a_table_entry_named_again_and_again_is_not_multiplied(gateway):
    """An HPACK bomb: 150 KB that stand for 500 MB of fields."""
    before = resident_bytes(gateway)
    with Connection(gateway) as connection:
        for _ in range(5):
            stream = connection.next_stream()
            entry = b"\x40\x04bomb\x7f" + b"\xbd\x1d" + b"b" * 3900
            connection.try_send(headers(stream, b"\x83\x87\x84\x01\x01a" + entry, ends=True, complete=False))
            for part in range(7):
                flags = END_HEADERS if part == 6 else 0
                connection.try_send(frame(CONTINUATION, b"\xbe" * 16000, flags, stream))
            connection.read(lambda: stream in connection.ended or stream in connection.resets)
            if connection.is_closed:
                break
            assert connection.answers[stream][":status"] == "431"
    assert resident_bytes(gateway) - before < 30 << 20


# Values

@pytest.mark.parametrize("name", ["apns-topic", "apns-id", "apns-collapse-id", "authorization", "apns-push-type"])
@pytest.mark.parametrize("value", [b"\xff\xfe\xc3\x28", b"a\x00b", b"a\r\nb", b"\x7f", b""], ids=repr)
def test_bytes_that_are_no_text_are_refused_and_the_connection_goes_on(gateway, request_, name, value):
    with Connection(gateway) as connection:
        stream = connection.next_stream()
        fields = [pair for pair in request_.headers if pair[0] != name]
        block = connection.encoder.encode(
            [(":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", request_.path)]
            + [(item, text) for item, text in fields]
        )
        key = name.encode()
        block += b"\x00" + bytes([len(key)]) + key + bytes([len(value)]) + value
        connection.send(headers(stream, block) + data(stream, b"{}", ends=True))
        connection.read(lambda: stream in connection.ended or stream in connection.resets)
        status = connection.answers.get(stream, {}).get(":status")
        # A field that HTTP/2 forbids counts as absent; only an optional one may then be accepted.
        optional = name in ("apns-id", "apns-collapse-id", "apns-push-type")
        assert stream in connection.resets or status in ("400", "403") or (status == "200" and optional)
        assert not connection.is_closed
        assert connection.ask(request_) == "200"


@pytest.mark.parametrize("name", ["apns-expiration", "apns-priority"])
@pytest.mark.parametrize(
    "value", ["9" * 300, "18446744073709551616", "9223372036854775808", "-9223372036854775809", "-1", "1e999",
              "+1", "0x10", "٣", " 1", "1 ", "NaN", ""], ids=repr)
def test_numbers_out_of_range_are_refused(gateway, request_, name, value):
    request_.set(name, value)
    with Connection(gateway) as connection:
        status = connection.ask(request_)
        if value.strip() != value:
            # RFC 9113 §8.2.1: a value must not begin or end with a space.
            assert connection.resets[connection.stream] == PROTOCOL_ERROR
        elif name == "apns-priority":
            assert status == "400" or value == ""
        else:
            assert status in ("400", "200")
        assert connection.ask(refusals.Request(request_.path, request_.headers[:-1])) == "200"


# Slowness

def test_requests_that_never_end_hold_nobody_up(gateway, request_):
    slow = []
    for kind in range(30):
        connection = Connection(gateway)
        block = connection.head(request_)
        if kind % 3 == 0:
            connection.send(headers(1, block[:10], complete=False))
        elif kind % 3 == 1:
            connection.send(headers(1, block) + data(1, b"{"))
        else:
            connection.send(headers(1, block)[:12])
        slow.append(connection)
    with Connection(gateway) as good:
        for _ in range(20):
            assert good.ask(request_) == "200"
    for connection in slow:
        connection.close()


def test_a_thousand_half_open_handshakes_hold_nobody_up(gateway, request_):
    half = []
    try:
        for number in range(1000):
            raw = socket.create_connection(("127.0.0.1", gateway.port), timeout=30)
            if number % 2:
                raw.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
            half.append(raw)
        begin = time.monotonic()
        with Connection(gateway) as good:
            assert good.ask(request_) == "200"
        assert time.monotonic() - begin < 5
        # The gateway gives them up by itself.
        for raw in half:
            raw.settimeout(30)
            try:
                assert raw.recv(1) == b""
            except ConnectionResetError:
                pass
    finally:
        for raw in half:
            raw.close()


def test_five_thousand_idle_connections_hold_nobody_up(request, tmp_path):
    import resource

    import credentials

    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(allowed, 20_000), allowed))
    count = min(5000, allowed - 500)
    gateway = Gateway(tmp_path)
    try:
        device = gateway.register()
        wanted = refusals.correct(gateway, device, credentials.provider_token(gateway))
        before = resident_bytes(gateway)
        idle = [Connection(gateway) for _ in range(count)]
        settled = wait_for_memory(gateway)
        print(f"\n{count} idle connections: {(settled - before) / count / 1024:.1f} KiB each")
        assert (settled - before) / count < 150 * 1024
        with Connection(gateway) as good:
            begin = time.monotonic()
            for _ in range(50):
                assert good.ask(wanted) == "200"
            assert time.monotonic() - begin < 5
        for connection in idle:
            connection.close()
    finally:
        assert gateway.stop() == 0


def wait_for_memory(gateway):
    """The smallest size within the time in which idle connections give memory back."""
    sizes = []
    for _ in range(12):
        sizes.append(resident_bytes(gateway))
        time.sleep(0.5)
    return min(sizes)


def test_a_client_that_reads_no_answers_costs_little_memory(gateway, request_):
    with Connection(gateway) as connection:
        assert connection.ask(request_) == "200"
        connection.read(lambda: connection.limit == 1000)
        before = resident_bytes(gateway)
        request_.path = "/3/device/nonsense"
        block = connection.head(request_)
        connection.tls.settimeout(2)
        sent = 0
        # Each answer is larger than its request; the gateway has to stop taking more.
        for _ in range(400):
            burst = bytearray()
            for _ in range(500):
                block = connection.head(request_)
                burst += headers(connection.next_stream(), block, ends=True)
            if not connection.try_send(bytes(burst)):
                break
            sent += 500
        assert resident_bytes(gateway) - before < 60 << 20


# Floods

def test_a_flood_of_resets_is_cut_off(gateway, request_):
    with Connection(gateway) as connection:
        assert connection.ask(request_) == "200"
        connection.read(lambda: connection.limit == 1000)
        block = connection.head(request_)
        for _ in range(100):
            burst = bytearray()
            for _ in range(100):
                stream = connection.next_stream()
                burst += headers(stream, block) + reset(stream)
            if not connection.try_send(bytes(burst)):
                break
        assert is_refused(connection, ENHANCE_YOUR_CALM)


def test_late_resets_of_answered_streams_are_no_flood(gateway, request_):
    """APNSwift cancels one or two streams of a hundred after their whole answer."""
    with Connection(gateway) as connection:
        assert connection.ask(request_) == "200"
        connection.read(lambda: connection.limit == 1000)
        block = connection.head(request_)
        accepted = 0
        for _ in range(500):
            streams = [connection.next_stream() for _ in range(200)]
            connection.send(b"".join(headers(s, block) + data(s, b"{}", ends=True) for s in streams))
            assert connection.read(lambda: len(connection.ended) >= len(streams))
            accepted += sum(connection.answers[s][":status"] == "200" for s in streams)
            connection.ended.clear()
            connection.answers.clear()
            connection.send(b"".join(reset(stream) for stream in streams[::50]))
        assert accepted == 100_000
        assert connection.goaway is None
        assert connection.ask(request_) == "200"


FLOODS = {
    "settings": frame(SETTINGS),
    "settings with values": frame(SETTINGS, b"\x00\x04\x00\x00\xff\xff" * 30),
    "settings acknowledgements": frame(SETTINGS, flags=1),
    "ping": frame(PING, b"12345678"),
    "ping acknowledgements": frame(PING, b"12345678", 1),
    "priority": frame(PRIORITY, b"\x00\x00\x00\x00\x10", stream=1),
    "window updates": frame(WINDOW_UPDATE, b"\x00\x00\x00\x01"),
    "resets of ended streams": reset(1),
}


@pytest.mark.parametrize("reads", [True, False], ids=["reading", "not reading"])
@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_frames_that_carry_nothing_is_cut_off(gateway, request_, flood, reads):
    before = resident_bytes(gateway)
    with Connection(gateway) as connection:
        assert connection.ask(request_) == "200"
        for _ in range(400):
            if not connection.try_send(FLOODS[flood] * 500):
                break
            if reads and connection.discard(0.001):
                break
        # What was sent last may still lie in the kernel's buffers, but the gateway must close.
        assert connection.discard(30), "200,000 frames were taken"
    assert resident_bytes(gateway) - before < 30 << 20


def test_frames_of_no_known_kind_are_skipped(gateway, request_):
    with Connection(gateway) as connection:
        connection.send(frame(0xBE, b"abc") * 50_000)
        assert connection.ask(request_) == "200"


def test_a_flood_of_empty_data_is_cut_off(gateway, request_):
    with Connection(gateway) as connection:
        connection.send(headers(connection.next_stream(), connection.head(request_)))
        # The gateway says why, then lets go within seconds of a client that does not stop.
        deadline = time.monotonic() + 20
        while connection.try_send(data(1) * 500):
            assert time.monotonic() < deadline, "empty frames were taken for 20 seconds"
        assert is_refused(connection, ENHANCE_YOUR_CALM)


def test_a_header_block_without_end_is_cut_off(gateway, request_):
    with Connection(gateway) as connection:
        connection.send(headers(1, connection.head(request_), complete=False))
        for _ in range(5000):
            if not connection.try_send(frame(CONTINUATION, b"\x83" * 100, stream=1)):
                break
        assert connection.discard(30), "5,000 CONTINUATION frames were taken"


def test_refused_streams_in_a_flood_are_cut_off(gateway, request_):
    """One stream is allowed before the first accepted token; a client that ignores it."""
    with Connection(gateway) as connection:
        block = connection.head(request_)
        for _ in range(400):
            if not connection.try_send(b"".join(headers(connection.next_stream(), block) for _ in range(500))):
                break
        assert connection.discard(30), "200,000 streams above the limit were taken"


# Not HTTP/2

@pytest.mark.parametrize(
    "text",
    [b"\x00" * 100, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", PREFACE + b"\xff" * 1000, PREFACE[:-1] + b"X",
     PREFACE + data(1, b"x"), PREFACE + frame(SETTINGS) + data(1, b"x"), PREFACE + frame(SETTINGS, b"\x00" * 5),
     PREFACE + frame(SETTINGS) + headers(2, b"\x83\x87\x84\x01\x01a", ends=True),
     PREFACE + frame(SETTINGS) + headers(1, b"\xff\xff\xff\xff\xff\xff\xff", ends=True),
     PREFACE + frame(SETTINGS) + frame(WINDOW_UPDATE, b"\x00\x00\x00\x00"),
     PREFACE + frame(SETTINGS) + frame(DATA, b"\xff", 8, 1)],
    ids=["zeros", "http/1.1", "ones", "wrong preface", "no settings", "data of no stream", "short settings",
         "even stream", "hpack index", "zero window", "padding"])
def test_what_is_not_http2_is_closed(gateway, text):
    with Connection(gateway, begin=False) as connection:
        connection.try_send(text)
        connection.read_to_end()


def test_plain_http_on_the_tls_port_is_closed(gateway):
    for text in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", PREFACE, b"\xff" * 5000):
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as raw:
            raw.sendall(text)
            try:
                while raw.recv(4096):
                    pass
            except ConnectionResetError:
                pass


def test_a_client_of_http_1_only_is_not_served(gateway):
    try:
        with Connection(gateway, alpn=("http/1.1",), begin=False) as connection:
            connection.try_send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            connection.read_to_end()
            assert not connection.answers
    except ssl.SSLError:
        pass


def test_a_client_without_alpn_is_served_as_by_apple(gateway, request_):
    with Connection(gateway, alpn=()) as connection:
        assert connection.ask(request_) == "200"


def test_connections_dropped_at_every_step_leave_nothing_open(own_gateway):
    # A gateway of its own: a push service of another test may keep its connections to the shared one.
    token = credentials.provider_token(own_gateway)
    request = refusals.correct(own_gateway, own_gateway.register(), token)
    for step in range(5):
        for _ in range(20):
            if step == 0:
                socket.create_connection(("127.0.0.1", own_gateway.port)).close()
                continue
            connection = Connection(own_gateway, begin=step > 1)
            if step == 3:
                connection.send(headers(1, connection.head(request)))
            elif step == 4:
                connection.send(headers(1, connection.head(request)) + data(1, b"{}", ends=True))
            connection.close()

    deadline = time.monotonic() + 20
    while True:
        text = urllib.request.urlopen(own_gateway.control + "/metrics").read().decode()
        count = int(next(line.split()[1] for line in text.splitlines() if line.startswith("apns_gateway_connections ")))
        if count == 0:
            break
        assert time.monotonic() < deadline, f"{count} connections are still open"
        time.sleep(0.05)
