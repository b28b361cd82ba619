"""Backups written by MongoDB's own BSON encoder, read by `belfry import`."""

import datetime
import decimal
import gzip
import json
import random
import re
import secrets

import pytest

bson = pytest.importorskip("bson")

from bson import (  # noqa: E402
    Binary, Code, DBRef, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp,
)

UTC = datetime.timezone.utc


@pytest.fixture
def load(belfry, service, tmp_path):
    """Imports documents and gives the report."""

    def run(documents, name="dump.bson", cut=None):
        content = b"".join(bson.encode(one) for one in documents)
        if cut is not None:
            content = content[:cut]
        if name.endswith(".gz"):
            content = gzip.compress(content)
        (tmp_path / name).write_bytes(content)
        result = belfry("import", "--app", service.app_id, "--data", service.data, "--json", tmp_path / name)
        return result.returncode, json.loads(result.stdout) if result.returncode == 0 else result.stderr

    return run


@pytest.fixture
def rows(service):
    """The rows of some objectIds as the API shows them; they are deleted afterwards."""
    seen = []

    def read(*ids):
        seen.extend(ids)
        return [service.master("GET", f"/1.1/installations/{one}") for one in ids]

    yield read
    for one in seen:
        service.call("DELETE", f"/1.1/installations/{one}", key=service.master_key + ",master")


def installation(**fields):
    now = datetime.datetime(2026, 11, 1, 2, 3, 4, 567000, UTC)
    return {
        "_id": ObjectId(), "deviceType": "ios", "deviceToken": secrets.token_hex(32), "createdAt": now, "updatedAt": now,
        **fields,
    }


# Every type of BSON: what it becomes, or nothing where an installation can hold no such value.
VALUES = {
    "double": (0.5, 0.5),
    "digits": (123456.78901234567, 123456.78901234567),
    "whole": (2.0, 2),
    "text": ("Zoë 上海 😀 \"}]", "Zoë 上海 😀 \"}]"),
    "long": ("x" * 10_000, "x" * 10_000),
    "document": ({"a": {"b": [1, {"c": None}]}}, {"a": {"b": [1, {"c": None}]}}),
    "array": ([1, "a", [True, []], {}], [1, "a", [True, []], {}]),
    "id": (ObjectId("51fcb74ee4b074ac5c34cf85"), "51fcb74ee4b074ac5c34cf85"),
    "yes": (True, True),
    "no": (False, False),
    "date": (
        datetime.datetime(2027, 1, 12, 0, 0, 0, 1000, UTC), {"__type": "Date", "iso": "2027-01-12T00:00:00.001Z"}
    ),
    "before": (datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), {"__type": "Date", "iso": "1969-12-31T23:59:59.000Z"}),
    "int32": (-(2**31), -(2**31)),
    "int64": (Int64(2**62), 2**62),
    "least": (Int64(-(2**63)), -(2**63)),
    "nothing": (None, None),
    "nan": (float("nan"), None),
    "infinity": (float("inf"), None),
    "binary": (Binary(b"\x00\xff", 0), None),
    "uuid": (Binary(b"0123456789abcdef", 4), None),
    "pattern": (Regex("a+", "i"), None),
    "code": (Code("f()"), None),
    "scope": (Code("f()", {"a": 1}), None),
    "stamp": (Timestamp(1, 2), None),
    "decimal": (Decimal128(decimal.Decimal("1.5")), None),
    "least_key": (MinKey(), None),
    "largest_key": (MaxKey(), None),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_of_every_type(load, rows, name):
    value, expected = VALUES[name]
    one, other = installation(value=value), installation(value="after")
    code, report = load([one, other])
    assert code == 0 and report["stored"] == 2, report
    found, after = rows(str(one["_id"]), str(other["_id"]))
    assert found.get("value") == expected
    assert found["createdAt"] == "2026-11-01T02:03:04.567Z"
    assert after["value"] == "after", "what follows is read too"


def test_a_reference_is_a_pointer(load, rows):
    one = installation(user=DBRef("_User", ObjectId("51fcb74ee4b074ac5c34cf85")))
    code, report = load([one])
    assert code == 0 and report["stored"] == 1, report
    (found,) = rows(str(one["_id"]))
    assert found["user"] == {"__type": "Pointer", "className": "_User", "objectId": "51fcb74ee4b074ac5c34cf85"}


def make_value(random, depth=0):
    """A random value that JSON has too."""
    kinds = 9 if depth < 4 else 6
    kind = random.randrange(kinds)
    if kind == 0:
        return random.choice([None, True, False])
    if kind == 1:
        return random.choice([0, -1, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)])
    if kind == 2:
        return random.uniform(-1e6, 1e6)
    if kind in (3, 4):
        return "".join(random.choice("aZ é新😀\"\\{}[]\n\t") for _ in range(random.randrange(20)))
    if kind == 5:
        return random.randrange(-1000, 1000)
    if kind in (6, 7):
        return [make_value(random, depth + 1) for _ in range(random.randrange(5))]
    return {f"k{index}": make_value(random, depth + 1) for index in range(random.randrange(5))}


@pytest.mark.parametrize("name", ["dump.bson", "dump.bson.gz"])
def test_generated_documents_come_back_as_they_went(load, rows, name):
    numbers = random.Random(7)
    documents = [
        installation(**{f"f{index}": make_value(numbers) for index in range(numbers.randrange(8))}) for _ in range(150)
    ]
    code, report = load(documents, name)
    assert code == 0 and (report["read"], report["stored"]) == (150, 150), report
    for document, found in zip(documents, rows(*[str(one["_id"]) for one in documents])):
        for key in document:
            if re.fullmatch(r"f\d", key):
                assert found[key] == document[key], key


def test_a_backup_that_was_cut_off_is_told_and_goes_on(load, rows):
    documents = [installation(value=index) for index in range(5)]
    sizes = [len(bson.encode(one)) for one in documents]
    code, error = load(documents, cut=sum(sizes[:3]) + 7)
    assert code == 1 and "cut off" in error
    code, report = load(documents)
    assert code == 0 and report["stored"] == 5
    assert [one["value"] for one in rows(*[str(one["_id"]) for one in documents])] == list(range(5))


def test_a_date_of_no_calendar_does_not_end_the_import(belfry, service, tmp_path, rows):
    one, other = installation(), installation()
    raw = bson.encode({**one, "value": datetime.datetime(2027, 1, 1, tzinfo=UTC)})
    date = int(datetime.datetime(2027, 1, 1, tzinfo=UTC).timestamp() * 1000).to_bytes(8, "little", signed=True)
    assert raw.count(date) == 1
    raw = raw.replace(date, (-(2**63)).to_bytes(8, "little", signed=True))
    (tmp_path / "dates.bson").write_bytes(raw + bson.encode(other))
    result = belfry(
        "import", "--app", service.app_id, "--data", service.data, "--json", tmp_path / "dates.bson", check=0
    )
    assert json.loads(result.stdout)["stored"] == 2
    found, _ = rows(str(one["_id"]), str(other["_id"]))
    assert found["value"] is None
