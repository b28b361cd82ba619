"""Requests as LeanCloud's Swift and Objective-C kits send them: everything is saved through `batch/save`."""

import secrets
import uuid

import pytest


def token():
    return secrets.token_hex(32)


@pytest.fixture
def save(service):
    """One `batch/save` with the app key; gives status and answer."""

    def call(*requests, key=None):
        return service.call("POST", "/1.1/batch/save", {"requests": list(requests)}, key=key)

    return call


def new(internal_id, **fields):
    body = {"__internalId": internal_id, "__children": [], "deviceType": "ios", "deviceToken": token(), **fields}
    return {"method": "POST", "path": "/1.1/classes/_Installation", "body": body}


def row(service, object_id):
    return service.master("GET", f"/1.1/installations/{object_id}")


def test_a_new_installation_is_answered_by_the_id_the_kit_made(service, save):
    internal = str(uuid.uuid4()).upper()
    status, answer = save(new(internal, channels=["news"], timeZone="Asia/Shanghai", apnsTopic="com.example.App"))
    assert status == 200
    assert list(answer) == [internal]
    assert set(answer[internal]) >= {"objectId", "createdAt", "updatedAt"}
    assert "error" not in answer and "error" not in answer[internal]
    stored = row(service, answer[internal]["objectId"])
    assert (stored["channels"], stored["apnsTopic"]) == (["news"], "com.example.App")
    assert not [key for key in stored if key.startswith("__")], "the kit's own members are not stored"


@pytest.mark.parametrize("form", ["/1.1/classes/_Installation/", "/1.1/installations/"])
def test_a_known_installation_is_answered_by_its_object_id(service, save, form):
    _, made = save(new("first"))
    object_id = made["first"]["objectId"]
    body = {
        "__internalId": object_id, "__children": [], "badge": {"__op": "Increment", "amount": 2},
        "channels": {"__op": "AddUnique", "objects": ["sport"]},
    }
    status, answer = save({"method": "PUT", "path": form + object_id, "body": body})
    assert status == 200
    assert list(answer) == [object_id]
    assert set(answer[object_id]) >= {"objectId", "updatedAt"}
    assert (row(service, object_id)["badge"], row(service, object_id)["channels"]) == (2, ["sport"])


def test_a_kit_that_lost_its_object_id_finds_its_row_by_token(service, save):
    first = new("a", level=1)
    _, made = save(first)
    again = new("b", deviceToken=first["body"]["deviceToken"], level=2)
    _, answer = save(again)
    assert answer["b"]["objectId"] == made["a"]["objectId"]
    assert row(service, made["a"]["objectId"])["level"] == 2


def test_a_new_token_stays_on_the_row_of_its_installation_id(service, save):
    installation_id = str(uuid.uuid4())
    _, made = save(new("a", installationId=installation_id))
    renewed = new("b", installationId=installation_id)
    _, answer = save(renewed)
    assert answer["b"]["objectId"] == made["a"]["objectId"]
    assert row(service, made["a"]["objectId"])["deviceToken"] == renewed["body"]["deviceToken"]


def test_a_token_that_moves_to_another_row_is_on_one_row_only(service, save):
    first, second = new("a", installationId=str(uuid.uuid4())), new("b", installationId=str(uuid.uuid4()))
    save(first)
    save(second)
    second["body"]["deviceToken"] = first["body"]["deviceToken"]
    assert save(second)[0] == 200
    query = "where=%7B%22deviceToken%22%3A%22" + first["body"]["deviceToken"] + "%22%7D"
    found = service.master("GET", f"/1.1/installations?{query}")["results"]
    assert len(found) == 1


def test_several_objects_are_saved_in_one_request(service, save):
    ids = [f"object-{number}" for number in range(20)]
    status, answer = save(*[new(one, number=index) for index, one in enumerate(ids)])
    assert status == 200
    assert set(answer) == set(ids)
    assert len({answer[one]["objectId"] for one in ids}) == 20
    assert [row(service, answer[one]["objectId"])["number"] for one in (ids[0], ids[19])] == [0, 19]


def test_a_refusal_is_an_error_and_not_a_saved_object(service, save):
    status, answer = save(new("a", badge="seven"))
    assert status == 400
    assert answer["code"] == 111 and "badge" in answer["error"]


@pytest.mark.parametrize(
    "request_, code",
    [
        ({"method": "POST", "path": "/1.1/classes/Post", "body": {"__internalId": "a"}}, 1),
        ({"method": "DELETE", "path": "/1.1/installations/0123456789abcdef01234567", "body": {}}, None),
        ({"method": "POST", "path": "/1.1/push", "body": {"data": {"alert": "x"}}}, None),
        ({"method": "POST", "path": "/1.1/batch", "body": {"requests": []}}, None),
        ({"method": "POST", "path": "installations", "body": {}}, None),
        ({"method": "POST"}, None),
        ("text", None),
    ],
)
def test_what_is_no_saving_is_refused(service, save, request_, code):
    for key in (None, service.master_key + ",master"):
        status, answer = save(request_, key=key)
        assert 400 <= status < 500 and answer["error"]
        assert code is None or answer["code"] == code


def test_no_requests_save_nothing(save):
    assert save() == (200, {})


def test_the_fields_a_kit_asked_for_come_back(service, save):
    _, made = save(new("a", count=5))
    object_id = made["a"]["objectId"]
    body = {"__internalId": object_id, "count": {"__op": "Increment", "amount": 1}}
    request = {
        "method": "PUT", "path": f"/1.1/installations/{object_id}", "body": body, "params": {"fetchWhenSave": True},
    }
    _, answer = save(request)
    assert answer[object_id]["count"] == 6
