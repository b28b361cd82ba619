"""The `leancloud` package from PyPI, unmodified, against the push service: only the address it calls is another."""

import datetime
import secrets
import time

import pytest

leancloud = pytest.importorskip("leancloud", reason="its gevent has no wheel for this Python")
from leancloud import push  # noqa: E402

UTC = datetime.timezone.utc
HERE = leancloud.GeoPoint(39.9, 116.4)
NEAR = leancloud.GeoPoint(39.91, 116.41)
FAR = leancloud.GeoPoint(31.2, 121.5)
# "Not allowed for clients" and "forbidden".
FORBIDDEN = (119, 403)


@pytest.fixture(autouse=True)
def sdk(service, monkeypatch):
    """The package's state is global: every test begins with the app and its master key."""
    monkeypatch.delenv("LEANCLOUD_API_SERVER", raising=False)
    monkeypatch.setenv("LC_API_SERVER", service.url)
    monkeypatch.setattr(leancloud.client, "USE_MASTER_KEY", None)
    leancloud.init(service.app_id, app_key=service.app_key, master_key=service.master_key)
    leancloud.use_production(True)


@pytest.fixture
def app_key_only():
    """As on a phone, where nobody has the master key."""
    leancloud.use_master_key(False)


def word():
    return "w" + secrets.token_hex(6)


def new(**fields):
    installation = leancloud.Installation()
    for key, value in {"deviceType": "ios", "deviceToken": secrets.token_hex(32), **fields}.items():
        installation.set(key, value)
    installation.save()
    return installation


def stored(installation):
    return leancloud.Query(leancloud.Installation).get(installation.id)


def code_of(call, *arguments, **named):
    with pytest.raises(leancloud.LeanCloudError) as failure:
        call(*arguments, **named)
    assert failure.value.error, "an error says what is wrong"
    return failure.value.code


# Objects


def test_the_server_tells_the_time_to_anybody():
    told = leancloud.client.get_server_time().timestamp()
    assert abs(told - time.time()) < 60


def test_an_installation_is_created_and_read_back():
    token = secrets.token_hex(32)
    installation = new(deviceToken=token, channels=["news", "体育"], timeZone="Asia/Shanghai", level=3)
    assert len(installation.id) == 24 and int(installation.id, 16) >= 0
    assert abs(installation.created_at.timestamp() - time.time()) < 60
    again = stored(installation)
    assert again.get("deviceToken") == token
    assert sorted(again.get("channels")) == ["news", "体育"]
    assert (again.get("timeZone"), again.get("level"), again.get("valid")) == ("Asia/Shanghai", 3, True)
    assert again.created_at == installation.created_at


def test_saving_a_token_again_updates_its_row(app_key_only):
    token = secrets.token_hex(32)
    first = new(deviceToken=token.upper(), level=1)
    second = new(deviceToken=token, level=2)
    assert second.id == first.id
    assert second.created_at == first.created_at
    leancloud.use_master_key(True)
    assert leancloud.Query(leancloud.Installation).equal_to("deviceToken", token).count() == 1
    assert stored(first).get("level") == 2


def test_every_operator_of_the_package():
    installation = new(count=5, tags=["a", "b"], bits=0b1100, gone="x")
    changed = installation
    changed.increment("count", 3)
    changed.add("tags", "a")
    changed.bit_or("bits", 0b0011)
    changed.unset("gone")
    changed.save()
    row = stored(installation)
    assert (row.get("count"), row.get("tags"), row.get("bits")) == (8, ["a", "b", "a"], 0b1111)
    assert not row.has("gone")

    changed = stored(installation)
    changed.increment("count", -10)
    changed.add_unique("tags", "c")
    changed.bit_and("bits", 0b0110)
    changed.save()
    changed = stored(installation)
    changed.remove("tags", "a")
    changed.bit_xor("bits", 0b0101)
    changed.save()
    row = stored(installation)
    assert (row.get("count"), row.get("tags"), row.get("bits")) == (-2, ["b", "c"], 0b0011)


def test_fetch_when_save_gives_what_the_server_computed():
    installation = new(count=10)
    elsewhere = leancloud.Installation.create_without_data(installation.id)
    elsewhere.increment("count", 5)
    elsewhere.save()
    installation.increment("count", 1)
    installation.save(fetch_when_save=True)
    assert installation.get("count") == 16


def test_a_conditional_save_has_an_effect_only_when_the_condition_holds():
    installation = new(balance=10)
    enough = leancloud.Query(leancloud.Installation).greater_than_or_equal_to("balance", 10)
    installation.increment("balance", -10)
    installation.save(where=enough)
    assert stored(installation).get("balance") == 0
    installation.increment("balance", -10)
    assert code_of(installation.save, where=enough) == 305
    assert stored(installation).get("balance") == 0


def test_typed_values_come_back_as_they_went():
    when = datetime.datetime(2027, 3, 12, 14, 0, 0, 250000, UTC)
    friend = new()
    installation = new(
        born=when, place=HERE, friend=friend, nested={"deep": [1, 2.5, None, True, {"日本": "東京 🗼"}]}
    )
    row = stored(installation)
    assert row.get("born").astimezone(UTC) == when
    assert (row.get("place").latitude, row.get("place").longitude) == (39.9, 116.4)
    assert row.get("friend").id == friend.id
    assert row.get("nested") == {"deep": [1, 2.5, None, True, {"日本": "東京 🗼"}]}


def test_the_package_deletes_and_then_finds_nothing():
    installation = new()
    installation.destroy()
    assert leancloud.Query(leancloud.Installation).equal_to("objectId", installation.id).find() == []


def test_many_are_saved_and_destroyed_in_one_batch():
    group = word()
    many = []
    for index in range(25):
        installation = leancloud.Installation()
        installation.set({"deviceType": "ios", "deviceToken": secrets.token_hex(32), "group": group, "place_": index})
        many.append(installation)
    leancloud.Installation.save_all(many)
    assert len({installation.id for installation in many}) == 25
    found = leancloud.Query(leancloud.Installation).equal_to("group", group).ascending("place_").find()
    assert [installation.id for installation in found] == [installation.id for installation in many]

    for installation in many:
        installation.set("place_", installation.get("place_") + 100)
    leancloud.Installation.save_all(many)
    assert leancloud.Query(leancloud.Installation).equal_to("group", group).greater_than("place_", 99).count() == 25

    leancloud.Installation.destroy_all(many)
    assert leancloud.Query(leancloud.Installation).equal_to("group", group).count() == 0


def test_an_error_inside_a_batch_is_that_items_alone():
    good, bad = leancloud.Installation(), leancloud.Installation()
    group = word()
    good.set({"deviceType": "ios", "deviceToken": secrets.token_hex(32), "group": group})
    bad.set({"deviceType": "ios", "deviceToken": secrets.token_hex(32), "group": group, "badge": "seven"})
    assert code_of(leancloud.Installation.save_all, [bad, good]) == 111
    found = leancloud.Query(leancloud.Installation).equal_to("group", group).find()
    assert [installation.get("deviceToken") for installation in found] == [good.get("deviceToken")]


# Queries


@pytest.fixture(scope="module")
def rows(service):
    """Four rows that only queries with their group see."""
    group = word()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_API_SERVER", service.url)
        patch.setattr(leancloud.client, "USE_MASTER_KEY", None)
        leancloud.init(service.app_id, app_key=service.app_key, master_key=service.master_key)
        new(group=group, name="anna", age=20, tags=["a"], at=day(1), place=HERE, channels=["news"])
        new(group=group, name="Bert", age=30, tags=["a", "b"], at=day(2), place=NEAR, channels=["news", "sport"])
        new(group=group, name="carl", age=40, tags=["a", "b", "c"], at=day(3), place=FAR, city={"name": "上海"})
        new(group=group, name="dora.x", tags=[])
    return group


def day(number):
    return datetime.datetime(2027, 1, number, tzinfo=UTC)


ALL = {"anna", "Bert", "carl", "dora.x"}


@pytest.mark.parametrize(
    "narrow, names",
    [
        (lambda q: q.equal_to("age", 30), {"Bert"}),
        (lambda q: q.equal_to("tags", "b"), {"Bert", "carl"}),
        (lambda q: q.equal_to("channels", "news"), {"anna", "Bert"}),
        (lambda q: q.equal_to("city.name", "上海"), {"carl"}),
        (lambda q: q.not_equal_to("name", "anna"), ALL - {"anna"}),
        (lambda q: q.not_equal_to("age", 30), ALL - {"Bert"}),
        (lambda q: q.less_than("age", 30), {"anna"}),
        (lambda q: q.less_than_or_equal_to("age", 30), {"anna", "Bert"}),
        (lambda q: q.greater_than("age", 30), {"carl"}),
        (lambda q: q.greater_than_or_equal_to("age", 30), {"Bert", "carl"}),
        (lambda q: q.greater_than("age", 20).less_than("age", 40), {"Bert"}),
        (lambda q: q.contained_in("age", [20, 40, 99]), {"anna", "carl"}),
        (lambda q: q.not_contained_in("name", ["anna", "Bert"]), {"carl", "dora.x"}),
        (lambda q: q.contains_all("tags", ["a", "c"]), {"carl"}),
        (lambda q: q.size_equal_to("tags", 2), {"Bert"}),
        (lambda q: q.exists("age"), ALL - {"dora.x"}),
        (lambda q: q.does_not_exist("age"), {"dora.x"}),
        (lambda q: q.matched("name", "^b", ignore_case=True), {"Bert"}),
        (lambda q: q.matched("name", "^b"), set()),
        (lambda q: q.contains("name", "a.x"), {"dora.x"}),
        (lambda q: q.contains("name", "aRx"), set()),
        (lambda q: q.startswith("name", "ca"), {"carl"}),
        (lambda q: q.endswith("name", ".x"), {"dora.x"}),
        (lambda q: q.greater_than("at", day(2)), {"carl"}),
        (lambda q: q.equal_to("at", day(2)), {"Bert"}),
        (lambda q: q.within_kilometers("place", HERE, 100), {"anna", "Bert"}),
        (lambda q: q.within_miles("place", HERE, 0.1), {"anna"}),
        (lambda q: q.within_radians("place", HERE, 1), {"anna", "Bert", "carl"}),
        (
            lambda q: q.within_geo_box("place", leancloud.GeoPoint(30, 120), leancloud.GeoPoint(32, 122)),
            {"carl"},
        ),
    ],
)
def test_queries(rows, narrow, names):
    query = leancloud.Query(leancloud.Installation).equal_to("group", rows)
    narrow(query)
    assert {row.get("name") for row in query.find()} == names
    assert query.count() == len(names)


def test_queries_are_joined_by_or_and_and(rows):
    def one(name):
        return leancloud.Query(leancloud.Installation).equal_to("group", rows).equal_to("name", name)

    either = leancloud.Query.or_(one("anna"), one("carl"))
    assert {row.get("name") for row in either.find()} == {"anna", "carl"}
    both = leancloud.Query.and_(one("anna"), leancloud.Query(leancloud.Installation).less_than("age", 25))
    assert [row.get("name") for row in both.find()] == ["anna"]


def test_the_nearest_come_first(rows):
    query = leancloud.Query(leancloud.Installation).equal_to("group", rows).near("place", HERE)
    assert [row.get("name") for row in query.find()] == ["anna", "Bert", "carl"]
    query = leancloud.Query(leancloud.Installation).equal_to("group", rows).near("place", FAR)
    assert query.first().get("name") == "carl"


def test_order_skip_limit_and_first(rows):
    query = leancloud.Query(leancloud.Installation).equal_to("group", rows).exists("age").descending("age")
    assert [row.get("age") for row in query.find()] == [40, 30, 20]
    assert query.first().get("age") == 40
    query.skip(1)
    query.limit(1)
    assert [row.get("age") for row in query.find()] == [30]


def test_selected_keys_come_alone(rows):
    query = leancloud.Query(leancloud.Installation).equal_to("group", rows).equal_to("name", "anna")
    query.select("name")
    row = query.first()
    assert (row.get("name"), row.get("age"), row.get("tags")) == ("anna", None, None)
    assert row.id and row.created_at


def test_a_scan_goes_through_all_rows_once(service):
    group = word()
    leancloud.Installation.save_all(
        [_unsaved(group=group, number=number) for number in range(7)]
    )
    seen = [row.get("number") for row in leancloud.Query(leancloud.Installation).equal_to("group", group).scan(2)]
    assert sorted(seen) == list(range(7))


def _unsaved(**fields):
    installation = leancloud.Installation()
    installation.set({"deviceType": "ios", "deviceToken": secrets.token_hex(32), **fields})
    return installation


def test_a_condition_that_reaches_into_another_class_says_so(rows):
    inner = leancloud.Query("_User").equal_to("age", 3)
    query = leancloud.Query(leancloud.Installation).matches_query("owner", inner)
    assert code_of(query.find) == 304


def test_an_unknown_object_id_gives_no_row():
    assert code_of(leancloud.Query(leancloud.Installation).equal_to("objectId", "0" * 24).first) == 101


# Rights


def test_a_phone_may_save_but_not_find_delete_or_send(app_key_only):
    installation = new()
    installation.set("level", 2)
    installation.save()
    assert code_of(leancloud.Query(leancloud.Installation).find) in FORBIDDEN
    assert code_of(leancloud.Query(leancloud.Installation).count) in FORBIDDEN
    assert code_of(installation.destroy) in FORBIDDEN
    assert code_of(push.send, {"alert": "no"}) in FORBIDDEN
    leancloud.use_master_key(True)
    assert stored(installation).get("level") == 2


@pytest.mark.parametrize("is_master", [True, False])
def test_a_wrong_key_is_refused(service, is_master):
    leancloud.init(service.app_id, app_key="x" * 24, master_key="y" * 24)
    leancloud.use_master_key(is_master)
    assert code_of(new) == 401


def test_the_app_key_is_no_master_key(service):
    leancloud.init(service.app_id, app_key=service.app_key, master_key=service.app_key)
    assert code_of(leancloud.Query(leancloud.Installation).find) == 401
