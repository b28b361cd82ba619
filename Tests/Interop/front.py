"""nginx in front of a service, with the configuration that a guide shows."""

import contextlib
import json
import pathlib
import shutil
import signal
import ssl
import subprocess
import threading
import urllib.error
import urllib.request

from gateway import STOP_SECONDS


class Front:
    """A running nginx on a port of the loopback address, with a certificate for the names it serves."""

    def __init__(self, folder, port):
        self.folder = pathlib.Path(folder)
        self.port = port
        self.certificate = self.folder / "certificate.pem"
        self.process = None

    def make_certificate(self, *names):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=" + names[0], "-addext", "subjectAltName=" + ",".join("DNS:" + name for name in names),
             "-keyout", self.folder / "key.pem", "-out", self.certificate],
            check=True, capture_output=True,
        )

    def start(self, servers):
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        assert pathlib.Path(nginx).exists(), "nginx is missing: make setup installs it"
        places = "\n".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in
                           ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        configuration = self.folder / "nginx.conf"
        configuration.write_text(
            f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/error.log;\nevents {{}}\n"
            f"http {{ access_log off;\n{places}\n{servers}\n}}\n", encoding="utf-8",
        )
        subprocess.run([nginx, "-t", "-q", "-c", configuration, "-p", self.folder], check=True)
        self.process = subprocess.Popen(
            [nginx, "-c", configuration, "-p", self.folder], stderr=subprocess.DEVNULL)

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(timeout=STOP_SECONDS)

    def ask(self, method, path, body=None, headers=None, host="api.example.com"):
        """One request; gives the status, the header fields and the text of the answer, which is no redirect's."""
        scheme = "https" if self.certificate.exists() else "http"
        request = urllib.request.Request(
            f"{scheme}://127.0.0.1:{self.port}{path}", method=method, data=json.dumps(body).encode() if body else None,
            headers={"content-type": "application/json", "host": host, **(headers or {})},
        )
        opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=self._context()), _AsAnswered())
        for _ in range(50):
            try:
                with opener.open(request, timeout=30) as response:
                    return response.status, response.headers, response.read().decode()
            except urllib.error.HTTPError as error:
                return error.code, error.headers, error.read().decode()
            except urllib.error.URLError:
                # nginx has not yet taken the port; it says nothing when it has.
                assert self.process.poll() is None, (self.folder / "error.log").read_text()
                threading.Event().wait(0.1)
        raise AssertionError("nginx does not answer")

    def _context(self):
        if not self.certificate.exists():
            return ssl.create_default_context()
        context = ssl.create_default_context(cafile=self.certificate)
        context.check_hostname = False
        return context


class _AsAnswered(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *arguments):
        return None


@contextlib.contextmanager
def running(front, servers):
    front.start(servers)
    try:
        yield front
    finally:
        front.stop()
