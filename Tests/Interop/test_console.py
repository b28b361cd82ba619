"""The console in a browser: what people do with it, what it refuses, and whether everybody can use it."""

import json
import pathlib
import re
import shutil
import urllib.error
import urllib.request

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright needs Python 3.10 or newer")

import console  # noqa: E402
from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from gateway import Gateway  # noqa: E402
from service import Service  # noqa: E402

CHROMIUM = shutil.which("chromium")
TOPIC = "com.example.App"
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: scripts/setup installs it")


class World:
    """A gateway, a service in front of it with a console, and 120 phones."""

    def __init__(self, folder):
        (folder / "gateway").mkdir()
        self.gateway = Gateway(folder / "gateway")
        self.service = Service(folder / "service", self.gateway, topic=TOPIC)
        console.add_users(self.service)
        self.service.start("--gateway-control", self.gateway.control)
        self.url = self.service.url
        self.sessions = {}
        self.app = "/console/apps/" + self.service.app_id
        self.ids = console.register(self.service, self.gateway, 120, TOPIC)
        console.add_refused(self.service, {"fa11041001": 3, "fa11040001": 2})
        self.pushes = console.add_history(self.service, self.ids)
        console.add_schedules(self.service)

    def stop(self):
        assert self.service.stop() == 0
        self.gateway.stop()

    def paths(self):
        done = self.pushes[0]
        return {
            "start": "/console/apps", "overview": self.app + "/overview", "compose": self.app + "/compose",
            "pushes": self.app + "/pushes", "push": f"{self.app}/pushes/{done}", "schedules": self.app + "/schedules",
            "installations": self.app + "/installations", "search": self.app + "/installations?q=age+%3E+30",
            "installation": f"{self.app}/installations/{self.ids[0]}",
            "explain": f"{self.app}/explain?push={done}&installation={self.ids[0]}", "events": self.app + "/events",
            "credentials": self.app + "/credentials", "users": "/console/users", "audit": "/console/audit",
            "gateway": "/console/gateway", "nothing": "/console/apps/none/overview",
        }


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("console"))
    yield world
    world.stop()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(world, browser):
    """Opens a page signed in as somebody; what its scripts complain about fails the test."""
    contexts, complaints = [], []

    def open_page(name=console.OWNER, language="en-GB", width=1280, scheme="light"):
        context = browser.new_context(
            locale=language, viewport={"width": width, "height": 900}, color_scheme=scheme, timezone_id="Asia/Shanghai"
        )
        # A busy machine is slow; what never comes fails all the same.
        context.set_default_timeout(120_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        if name in world.sessions:
            context.add_cookies(world.sessions[name])
            page.goto(world.url + "/console")
        # Once for each user: the console lets nobody try passwords as fast as these tests come.
        if name and (name not in world.sessions or "/sign-in" in page.url):
            console.sign_in(page, world.url, name)
            world.sessions[name] = [one for one in context.cookies() if one["name"] == "belfry_session"]
        return page

    open_page.complaints = complaints
    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def settle(page):
    """Waits until everything that is fetched is there."""
    page.wait_for_selector(".loading, [aria-busy=true]", state="detached")


def test_a_push_from_writing_to_its_last_outcome(world, visit):
    page = visit(console.SENDER)
    page.goto(world.url + world.app + "/overview")
    page.click("header.page a.primary")
    page.fill("#title-0", "Breaking")
    page.fill("#body-0", "Something happened.")
    # The preview follows the text.
    assert page.inner_text(".bubble.main .bubble-title") == "Breaking"
    assert page.inner_text(".bubble.main .bubble-body") == "Something happened."
    page.click("button[data-preview=banner]")
    assert "banner" in page.get_attribute("#phone", "class")
    # The count follows the audience.
    page.wait_for_selector("#audience-panel [data-count='125']")
    page.check("input[name=audience][value=condition]")
    page.fill("input[name=field]", "age")
    page.select_option("select[name=comparison]", "greater")
    page.fill("input[name=value]", "40")
    page.wait_for_selector("#audience-panel [data-count]:not([data-count='125'])")
    count = int(page.get_attribute("#audience-panel [data-count]", "data-count"))
    assert 0 < count < 120
    # A second language, by the button.
    page.click("button[value=language]")
    page.fill("fieldset.text:nth-of-type(2) textarea", "出事了。")
    page.wait_for_selector("#check .notice.good")
    page.click("button.primary[type=submit]:has-text('Review')")
    assert page.inner_text(".confirm-count") == str(count)
    page.click("button.primary")
    page.wait_for_url("**/pushes/*")
    page.wait_for_selector("#live .badge.good", timeout=60_000)
    tiles = page.inner_text("#live .tiles")
    assert re.search(rf"Devices\s+{count}\b", tiles)
    push = page.url.rsplit("/", 1)[1]
    record = world.service.record(push)
    assert record["devices"] == count and record["successes"] == count
    # The page loads itself again when its push has ended.
    playwright.expect(page.locator("#live table tbody tr")).to_have_count(1)
    # An opening is counted while the page is open.
    world.service.call(
        "POST", "/1.1/stats/open/collect", {"client": {"id": world.ids[0]}, "notificationId": push}
    )
    page.wait_for_selector("#live .tile:has(dt:text-is('Opened')) dd:has-text('1')", timeout=30_000)


def test_a_bad_message_is_objected_to_while_it_is_written(world, visit):
    page = visit(console.SENDER)
    page.goto(world.url + world.app + "/compose")
    page.fill("#body-0", "x")
    page.click("details:has(#field-sound) summary")
    page.fill("#field-custom", "{not json")
    page.wait_for_selector("#check .notice.warn")
    page.fill("#field-custom", "")
    page.wait_for_selector("#check .notice.good")


def test_schedules_tell_their_next_ten_times_in_each_zone(world, visit):
    page = visit(console.SENDER)
    page.goto(world.url + world.app + "/compose")
    page.fill("#body-0", "Good morning")
    page.check("input[name=when][value=recurring]")
    page.wait_for_selector("#times table")
    assert page.locator("#times thead th").all_inner_texts() == ["Asia/Shanghai", "Europe/London", "America/New_York"]
    assert page.locator("#times tbody tr").count() == 10
    assert all("09:00" in text for text in page.locator("#times tbody td").all_inner_texts())
    page.goto(world.url + world.app + "/schedules")
    assert page.locator("main section.card").count() >= 3


def test_test_devices_get_it_and_nobody_else(world, visit):
    page = visit(console.SENDER)
    page.goto(world.url + world.app + "/compose")
    page.fill("#body-0", "Only for us")
    page.click("button:has-text('Send to test devices')")
    page.wait_for_url("**/pushes/*")
    page.wait_for_selector("#live .badge.good", timeout=60_000)
    assert world.service.record(page.url.rsplit("/", 1)[1])["devices"] == 2


def test_a_push_is_paused_resumed_and_cancelled(world, visit):
    push = world.service.master(
        "POST", "/1.1/push", {"data": {"alert": "later"}, "push_time": "2027-06-01T09:00:00.000Z"}
    )["pushId"]
    page = visit(console.SENDER)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{world.url}{world.app}/pushes/{push}")
    page.click("button:has-text('Pause')")
    page.wait_for_selector("#live .badge:has-text('Paused')")
    page.click("button:has-text('Resume')")
    page.wait_for_selector("#live .badge:has-text('Scheduled')")
    page.click("button:has-text('Cancel')")
    page.wait_for_selector("#live .badge:has-text('Cancelled')")
    assert page.locator("header.page button").count() == 0


def test_a_key_is_added_by_dropping_its_file(world, visit):
    page = visit()
    page.goto(world.url + world.app + "/credentials")
    page.set_input_files("#credential-file", world.gateway.key)
    page.wait_for_selector(".drop.filled")
    assert page.input_value("#field-key-id") == world.gateway.key_id
    page.fill("#field-team-id", world.gateway.team_id)
    page.click("button:has-text('Check and add')")
    page.wait_for_selector(".credential >> nth=1")
    assert page.locator(".badge.good:has-text('known to APNs')").count() >= 2
    # A key that is nobody's is refused, and nothing of it is shown.
    page.fill("#field-key-id", "ABCDEFGHIJ")
    page.fill("#field-team-id", world.gateway.team_id)
    page.set_input_files("#credential-file", world.gateway.key)
    page.wait_for_selector(".drop.filled")
    page.fill("#field-key-id", "ABCDEFGHIJ")
    page.click("button:has-text('Check and add')")
    page.wait_for_selector(".notice.bad")
    assert "PRIVATE" not in page.inner_text("main")
    visit.complaints[:] = [text for text in visit.complaints if "400" not in text]


def test_why_a_device_did_not_get_a_push(world, visit):
    page = visit(console.VIEWER)
    page.goto(f"{world.url}{world.app}/installations/{world.ids[0]}")
    page.click("td a:has-text('Why?') >> nth=0")
    page.wait_for_selector("ol.timeline")
    assert page.locator("ol.timeline li").count() >= 8


def test_the_gateway_is_seen_and_disturbed(world, visit):
    page = visit()
    page.goto(world.url + "/console/gateway")
    page.wait_for_selector("td .badge.good")
    page.fill("#field-rate", "0.0")
    page.click("button:has-text('Add fault')")
    page.wait_for_selector(".findings li:has-text('TooManyRequests')")
    page.click("button:has-text('Remove all faults')")
    page.wait_for_selector(".notice.good")


def test_the_language_is_the_browsers_and_can_be_switched(world, visit):
    page = visit(None, language="zh-CN")
    page.goto(world.url + "/console/sign-in")
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert page.inner_text("h1") == "登录 Belfry"
    page.click("nav.languages a")
    assert page.get_attribute("html", "lang") == "en"
    console.sign_in(page, world.url, console.VIEWER)
    assert page.get_attribute("html", "lang") == "en"


def in_chinese(text):
    """Whether a sentence is Chinese: what was typed may be in it, but no English words of the service."""
    words = [" was found", " is needed", " are allowed", "allowed:", "there is", " the "]
    return re.search(r"[\u4e00-\u9fff]", text) and not any(word in text for word in words)


def test_what_compose_objects_to_is_said_in_chinese(world, visit):
    page = visit(console.SENDER, language="zh-CN")
    page.goto(world.url + world.app + "/compose")
    page.fill("#body-0", "你好")
    page.check("input[name=when][value=recurring]")
    page.select_option("select[name=frequency]", "custom")

    def objection(said):
        notice = page.wait_for_selector(f"#check .notice.warn:has-text('{said}')")
        assert in_chinese(notice.inner_text()), notice.inner_text()

    page.fill("input[name=rule]", "FREQ=DAILY;BYHOUR=25")
    objection("0 到 23")
    page.fill("input[name=rule]", "FREQ=SOMETIMES")
    objection("SOMETIMES")
    page.fill("input[name=rule]", "FREQ=DAILY;BYHOUR=9")
    page.fill("input[name=schedule-zone]", "Mars/Base")
    objection("Mars/Base")
    page.check("input[name=when][value=now]")
    page.check("input[name=audience][value=condition]")
    page.click("details:has([name=where]) summary")
    page.fill("[name=where]", '{"age": {"$foo": 1}}')
    notice = page.wait_for_selector("#audience-panel .notice.warn:has-text('$foo')")
    assert in_chinese(notice.inner_text()), notice.inner_text()
    # The last look says it too, and keeps the form.
    page.click("button.primary[type=submit]:has-text('检查并发送')")
    notice = page.wait_for_selector(".notice.bad:has-text('$foo')")
    assert in_chinese(notice.inner_text()), notice.inner_text()
    assert page.input_value("#body-0") == "你好"
    # What the browser says of a refused page is no fault of a script.
    visit.complaints.clear()


def test_a_payload_that_is_too_large_is_refused_in_chinese(world, visit):
    page = visit(console.SENDER, language="zh-CN")
    page.goto(world.url + world.app + "/compose")
    page.fill("#body-0", "长" * 1300 + "x" * 700)
    notice = page.wait_for_selector("#check .notice.warn, #check .findings .bad")
    assert "字节" in notice.inner_text() and in_chinese(notice.inner_text()), notice.inner_text()


def test_refusals_of_forms_are_in_chinese(world, visit):
    page = visit(language="zh-CN")
    page.goto(world.url + world.app + "/credentials")
    page.click("details:has(#field-file) summary")
    page.fill("#field-file", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    page.fill("#field-key-id", "ABC123DEFG")
    page.fill("#field-team-id", "DEF123GHIJ")
    page.click("button:has-text('验证并添加')")
    notice = page.wait_for_selector(".notice.bad")
    assert "已损坏" in notice.inner_text() and in_chinese(notice.inner_text())
    page.goto(world.url + "/console/users")
    page.fill("form[action$='/users'] input[name=name]", console.VIEWER)
    page.fill("form[action$='/users'] input[name=password]", console.PASSWORD)
    page.click("button:has-text('添加')")
    assert "已存在同名用户" in page.wait_for_selector(".notice.bad").inner_text()
    page.goto(world.url + world.app + "/installations?q=9x+%3D+1")
    notice = page.wait_for_selector(".notice.warn")
    assert in_chinese(notice.inner_text()), notice.inner_text()
    # What the browser says of a refused page is no fault of a script.
    visit.complaints.clear()


def test_a_wrong_password_and_a_missing_role_are_said_in_chinese(world, visit):
    page = visit(None, language="zh-CN")
    page.goto(world.url + "/console/sign-in")
    page.fill("input[name=name]", console.VIEWER)
    page.fill("input[name=password]", "not the password")
    page.click("button[type=submit]")
    assert page.wait_for_selector(".notice.bad").inner_text() == "用户名或密码错误。"
    console.sign_in(page, world.url, console.VIEWER)
    page.goto(world.url + "/console/users")
    assert page.wait_for_selector(".notice.bad").inner_text() == "您的角色无权执行此操作。"
    visit.complaints.clear()


def test_a_push_shows_its_outcomes_by_language_and_zone(world, visit):
    page = visit(console.VIEWER)
    page.goto(f"{world.url}{world.app}/pushes/{world.pushes[-1]}")
    settle(page)
    tables = page.inner_text("#division")
    for text in ["Environment", "Languages", "Time zones", "Asia/Shanghai", "Accepted", "Opened"]:
        assert text in tables, tables
    # The rows of each table are all devices of the push.
    devices = int(page.inner_text("#live .tile:has(dt:text-is('Devices')) dd").replace(",", ""))
    for table in page.query_selector_all("#division table"):
        cells = table.query_selector_all("tbody tr td:nth-child(2)")
        assert sum(int(cell.inner_text().replace(",", "")) for cell in cells) == devices


def test_on_a_phone_nothing_that_is_pressed_is_cut_off(world, visit):
    page = visit(width=390)
    page.goto(world.url + "/console/users")
    for button in page.query_selector_all("table button"):
        box = button.bounding_box()
        assert box["x"] + box["width"] <= 390, box
    page.goto(f"{world.url}{world.app}/pushes/{world.pushes[-1]}")
    settle(page)
    heights = [row.bounding_box()["height"] for row in page.query_selector_all("#live tbody tr")]
    assert heights and max(heights) < 60, heights


def test_roles_see_and_may_what_is_theirs(world, visit):
    page = visit(console.VIEWER)
    page.goto(world.url + world.app + "/overview")
    assert page.locator("nav.places a:has-text('Compose')").count() == 0
    assert page.goto(world.url + world.app + "/compose").status == 403
    assert page.goto(world.url + "/console/users").status == 403
    page.goto(world.url + world.app + "/credentials")
    assert page.locator("main form").count() == 0
    visit.complaints[:] = [text for text in visit.complaints if "403" not in text]


def test_a_form_of_another_site_is_refused(world, visit, browser):
    page = visit()
    cookies = "; ".join(f"{item['name']}={item['value']}" for item in page.context.cookies())
    page.goto(world.url + world.app + "/compose")
    token = page.get_attribute("input[name=csrf]", "value")
    for headers, body, status in [
        ({"Origin": "https://evil.example"}, f"csrf={token}", 403), ({}, "csrf=guess", 403), ({}, "", 403),
    ]:
        request = urllib.request.Request(
            world.url + "/console/users/remove", data=(body + "&user=guest").encode(), method="POST",
            headers={"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded", **headers},
        )
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request, timeout=30)
        assert refusal.value.code == status
    names = world.service.belfry("user", "list", "--data", world.service.data)
    assert "guest" in names


def test_pages_are_used_without_scripts_too(world, browser):
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    console.sign_in(page, world.url, console.SENDER)
    page.goto(world.url + world.app + "/compose")
    page.fill("#title-0", "By hand")
    page.fill("#body-0", "Without any script.")
    page.click("button[value=condition]")
    assert page.input_value("#title-0") == "By hand"
    page.click("button:has-text('Review')")
    page.click("button:has-text('Send now')")
    assert "By hand" in page.inner_text("h1")
    context.close()


def test_the_keyboard_reaches_the_content(world, visit):
    page = visit()
    page.goto(world.url + world.app + "/overview")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.wait_for_selector("main#content:focus")


@pytest.mark.parametrize(
    "language, width, scheme",
    [("en-GB", 1280, "light"), ("en-GB", 390, "dark"), ("zh-CN", 1280, "dark"), ("zh-CN", 390, "light")],
)
def test_every_page_is_accessible_and_fits(world, visit, language, width, scheme):
    page = visit(language=language, width=width, scheme=scheme)
    axe, faults = Axe(), []
    for name, path in world.paths().items():
        page.goto(world.url + path)
        if name == "compose":
            page.fill("#body-0", "Text for the checks")
            page.check("input[name=audience][value=condition]")
            page.check("input[name=when][value=recurring]")
            page.wait_for_selector("#times table")
            page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        settle(page)
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            faults.append(f"{name}: wider than the window")
        for violation in axe.run(page).response["violations"]:
            targets = [node["target"] for node in violation["nodes"]][:3]
            faults.append(f"{name}: {violation['id']}: {violation['help']}: {json.dumps(targets)}")
    visit.complaints[:] = [text for text in visit.complaints if "404" not in text]
    assert faults == []


def test_the_page_for_signing_in_is_accessible(world, visit):
    page = visit(None)
    page.goto(world.url + "/console/sign-in")
    assert [(found["id"], found["nodes"]) for found in Axe().run(page).response["violations"]] == []


def test_the_charting_library_is_debians():
    debian = pathlib.Path("/usr/share/javascript/chart.js/chart.min.js")
    if not debian.exists():
        pytest.skip("libjs-chart.js is not installed")
    ours = pathlib.Path(__file__).parents[2] / "Sources/CConsoleFiles/files/chart.min.js"
    assert ours.read_bytes() == debian.read_bytes()
