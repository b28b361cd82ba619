import pathlib
import socket
import subprocess

import pytest

import credentials
from gateway import BELFRY, Gateway, clean_environment
from machine import Machine
from service import Service

TOPIC = "com.example.App"


@pytest.fixture(scope="session")
def gateway(tmp_path_factory):
    """One gateway for all tests that do not change it."""
    gateway = Gateway(tmp_path_factory.mktemp("gateway"))
    yield gateway
    assert gateway.stop() == 0, "SIGTERM must end the gateway with exit code 0"


@pytest.fixture
def own_gateway(tmp_path):
    """A gateway for one test, which may set faults or end it."""
    gateway = Gateway(tmp_path)
    yield gateway
    gateway.stop()


@pytest.fixture(scope="session")
def provider_token(gateway):
    """One token for the whole run: APNs wants few of them."""
    return credentials.provider_token(gateway)


@pytest.fixture
def device(gateway):
    return gateway.register(TOPIC)


@pytest.fixture(scope="session")
def service(gateway, tmp_path_factory):
    """One push service in front of the gateway, for all tests that do not end it."""
    service = Service(tmp_path_factory.mktemp("service") / "data", gateway, topic=TOPIC)
    service.start()
    yield service
    assert service.stop() == 0, "SIGTERM must end the service with exit code 0"


@pytest.fixture(scope="session")
def certificate(gateway, tmp_path_factory):
    """A client certificate for the app, valid in both environments."""
    return credentials.client_certificate(gateway, tmp_path_factory.mktemp("certificates"), TOPIC)


@pytest.fixture
def machine(own_gateway, tmp_path):
    """A machine on which Belfry's package is installed and nothing else was done; for commands of guides."""
    folder = tmp_path / "machine"
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    machine = Machine(folder, own_gateway, port)
    yield machine
    machine.close()


@pytest.fixture
def belfry(tmp_path):
    """Runs the command line tool; gives the finished process."""

    def run(*arguments, check=None, text_input=None, environment=None):
        result = subprocess.run(
            [BELFRY, *map(str, arguments)],
            input=text_input if text_input is not None else "",
            capture_output=True,
            text=True,
            timeout=120,
            cwd=tmp_path,
            env={**clean_environment(), **(environment or {})},
        )
        if check is not None:
            assert result.returncode == check, result.stderr
        return result

    return run


def pytest_collection_modifyitems(items):
    assert pathlib.Path(BELFRY).exists(), f"{BELFRY} is not built: make test-interop builds it"
