"""Generated requests from the service's own OpenAPI document: no failure of the service, answers as described.

schemathesis makes requests that fit the document; the same ones in every run. BELFRY_SCHEMA_EXAMPLES asks for more.
"""

import json
import os
import tempfile
import urllib.request

import pytest

schemathesis = pytest.importorskip("schemathesis")

from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402
from hypothesis.configuration import set_hypothesis_home_dir  # noqa: E402
from schemathesis.generation import DataGenerationMethod  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance, response_headers_conformance, response_schema_conformance, status_code_conformance,
)
from schemathesis.checks import not_a_server_error  # noqa: E402

from gateway import Gateway  # noqa: E402
from service import Service  # noqa: E402

# What hypothesis notes of the sources is no part of them.
set_hypothesis_home_dir(tempfile.mkdtemp(prefix="belfry-hypothesis-"))
EXAMPLES = int(os.environ.get("BELFRY_SCHEMA_EXAMPLES", "5"))
CHECKS = (
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
)


@pytest.fixture(scope="module")
def own_service(tmp_path_factory):
    """A service that nobody else uses: generated requests change it at will."""
    gateway = Gateway(tmp_path_factory.mktemp("gateway"))
    service = Service(tmp_path_factory.mktemp("service") / "data", gateway)
    service.start()
    yield service
    assert service.process.poll() is None, "the service ended"
    assert service.stop() == 0
    gateway.stop()


@pytest.fixture(scope="module")
def document(own_service):
    with urllib.request.urlopen(own_service.url + "/openapi.json", timeout=30) as response:
        return json.load(response)


def operations(document):
    return [(method.upper(), path) for path, methods in document["paths"].items() for method in methods]


@pytest.mark.parametrize("key", ["app", "master"])
def test_every_operation_answers_as_described(own_service, document, key):
    # Of OpenAPI 3.1 the document uses nothing that 3.0 lacks but `const`, which is JSON Schema to both.
    schema = schemathesis.from_dict(document, base_url=own_service.url, force_schema_version="30")
    headers = {
        "X-LC-Id": own_service.app_id,
        "X-LC-Key": own_service.app_key if key == "app" else own_service.master_key + ",master",
    }
    asked = 0
    failures = []
    for result in schema.get_all_operations():
        operation = result.ok()
        strategy = operation.as_strategy(data_generation_method=DataGenerationMethod.positive)

        @given(case=strategy)
        @settings(
            max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def ask(case):
            response = case.call(headers=headers, timeout=60)
            case.validate_response(response, checks=CHECKS)

        try:
            ask()
            asked += 1
        except Exception as error:
            failures.append(f"{operation.verbose_name}: {error}"[:1500])
    assert not failures, "\n\n".join(failures)
    assert asked == len(operations(document))
    assert own_service.call("GET", "/readyz")[0] == 200
