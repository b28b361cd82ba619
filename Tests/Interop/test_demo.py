"""`belfry demo` as a newcomer meets it: one command, two phones in the browser, the console, and tomorrow at nine."""

import json
import re
import shutil
import signal
import subprocess
import threading
import urllib.request

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright needs Python 3.10 or newer")

from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from gateway import BELFRY, START_SECONDS, STOP_SECONDS, clean_environment  # noqa: E402

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: scripts/setup installs it")
HEADERS = {"X-LC-Id": "demo0000", "X-LC-Key": "demo0000-master-key,master", "Content-Type": "application/json"}


class Demo:
    def __init__(self, folder):
        self.folder = folder
        self.process = subprocess.Popen(
            [BELFRY, "demo", "--port", "0", "--data", folder, "--json"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=clean_environment(), text=True,
        )
        watchdog = threading.Timer(START_SECONDS * 2, self.process.kill)
        watchdog.start()
        line = self.process.stdout.readline()
        watchdog.cancel()
        assert line, "the demo ended before it was ready"
        self.ready = json.loads(line)
        self.url = self.ready["api"]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=STOP_SECONDS)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=HEADERS)
        with urllib.request.urlopen(request, timeout=120) as response:
            return json.loads(response.read())

    def phone(self, number):
        return self.call("GET", f"/phones/{number}")

    def act(self, number, action, **rest):
        return self.call("POST", f"/phones/{number}/actions", {"action": action, **rest})

    def send(self, *texts, channels=("news",), **data):
        """Pushes one after another, each waited for: their order on the screen is theirs."""
        for text in texts:
            push = self.call("POST", "/1.1/push", {"channels": list(channels), "data": {"alert": text, **data}})
            for _ in range(300):
                if self.call("GET", "/1.1/notifications/" + push["objectId"])["status"] == "done":
                    break
                threading.Event().wait(0.1)

    def lock_empty(self, number):
        """Locks a phone with nothing on its screen."""
        state = self.act(number, "lock")
        shown = [*state["lockScreen"], *(each for group in state["groups"] for each in group["notifications"])]
        for identifier in {each["id"] for each in shown}:
            self.act(number, "dismiss", notification=identifier)

    def shown(self, number, body):
        """When the phone's own clock showed a notification with a text."""
        entries = self.call("GET", f"/phones/{number}/journal")
        return [entry["time"] for entry in entries if entry["event"] == "lock-screen" and body in entry["text"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "data"


@pytest.fixture(scope="module")
def demo(folder):
    demo = Demo(folder)
    yield demo
    assert demo.stop() == 0, "SIGTERM must end the demo with exit code 0"


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(demo, browser):
    """Opens a page; what its scripts complain about fails the test."""
    contexts, complaints = [], []

    def open_page(path, language="en-GB", width=1280, scheme="light", touch=False):
        context = browser.new_context(
            locale=language, viewport={"width": width, "height": 900}, color_scheme=scheme, has_touch=touch
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(demo.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def test_the_first_push_is_on_both_lock_screens_and_its_tap_is_counted(demo, visit):
    pages = [visit("/phone/1"), visit("/phone/2")]
    for page, title in zip(pages, ["Belfry 已就绪", "Belfry is up"]):
        page.wait_for_selector(f".notification:has-text('{title}')")
    pages[1].click(".notification .body")
    # The tap opens the app, which is in front now.
    pages[1].wait_for_selector(".in-app h2:has-text('News')")
    record = demo.call("GET", "/1.1/notifications?limit=1")["results"][0]
    for _ in range(100):
        record = demo.call("GET", "/1.1/notifications/" + record["objectId"])
        if record["opens"]:
            break
        threading.Event().wait(0.1)
    assert record["opens"] == 1
    assert record["devices"] > 1000
    page = visit("/console")
    page.fill("input[name=name]", demo.ready["user"])
    page.fill("input[name=password]", demo.ready["password"])
    page.click("main button[type=submit], form button[type=submit]")
    page.wait_for_url(re.compile("/console/apps"))
    page.goto(demo.url + "/console/apps/demo0000/pushes/" + record["objectId"])
    page.wait_for_selector("text=Belfry is up")
    # From the console to the phones.
    page.click("nav a:has-text('Phones')")
    page.wait_for_selector("#screen")


def test_a_reply_is_written_and_the_list_is_cleared(demo, visit):
    demo.act(1, "lock")
    demo.call("POST", "/1.1/push", {"channels": ["news"], "data": {"alert": "Coming?", "category": "message"}})
    page = visit("/phone/1")
    card = page.locator(".notification:has-text('Coming?')")
    card.wait_for()
    card.get_by_label("Buttons of the notification").click()
    card.get_by_label("Reply").fill("on my way")
    card.locator(".reply button").click()
    card.wait_for(state="detached")
    page.wait_for_selector("#journal li:has-text('on my way')")
    page.get_by_role("button", name="Unlock").click()
    page.wait_for_selector(".icon")
    page.get_by_label("Open the notification list").click()
    clear = page.get_by_role("button", name="Clear all")
    if clear.count():
        clear.click()
    page.wait_for_selector(".empty")


def test_a_banner_slides_over_the_home_screen_and_no_permission_means_none(demo, visit):
    page = visit("/phone/2")
    demo.act(2, "unlock")
    demo.act(2, "home")
    page.wait_for_selector(".icon")
    demo.call("POST", "/1.1/push", {"channels": ["sports"], "data": {"alert": "Goal!"}})
    page.wait_for_selector("#banner .notification:has-text('Goal!')")
    switch = page.get_by_role("switch", name="Allow notifications")
    switch.click()
    page.wait_for_selector("[data-key=allow][aria-checked=false]")
    push = demo.call("POST", "/1.1/push", {"channels": ["sports"], "data": {"alert": "Second goal!"}})
    for _ in range(100):
        if demo.call("GET", "/1.1/notifications/" + push["objectId"])["status"] == "done":
            break
        threading.Event().wait(0.1)
    assert page.locator(".notification:has-text('Second goal!')").count() == 0
    switch.click()
    page.wait_for_selector("[data-key=allow][aria-checked=true]")


def test_nine_o_clock_comes_to_each_phone_at_its_own_nine(demo, visit):
    demo.call("POST", "/1.1/push", {
        "channels": ["news"], "data": {"alert": "Good morning"},
        "schedule": {"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "device"}})
    for number in (1, 2):
        demo.act(number, "lock")
    page = visit("/phone/1")
    page.wait_for_selector("#lock-time")
    for number in (1, 2):
        # Twice: the first nine may be one that had passed somewhere when the push was made.
        demo.act(number, "advance", value="09:00")
    demo.act(1, "advance", value="09:00")
    page.wait_for_selector(".notification:has-text('Good morning')")
    # The page follows by events: the notification can be there before the last move of the clock.
    page.wait_for_selector("#lock-time:text-is('09:00')")
    for number in (1, 2):
        times = demo.shown(number, "Good morning")
        assert times and {time.split("T")[1] for time in times} == {"09:00:00"}, times
        assert len(times) == len(set(times))


def test_the_lines_that_the_demo_prints_can_be_typed(demo):
    text = subprocess.run([BELFRY, "help", "demo"], capture_output=True, text=True, check=True).stdout
    assert "Ctrl-C" in text
    answer = demo.call("POST", "/1.1/push", {"channels": ["news"], "data": {"alert": "Hello from the demo"}})
    why = demo.call("GET", f"/1.1/explain?push={answer['objectId']}&installation=de3000000000000000000001")
    assert [step["step"] for step in why["steps"]][:2] == ["push", "installation"]


def focused(page):
    """The text of the notification that has the focus."""
    return page.evaluate("document.activeElement.closest('.notification')?.querySelector('.text')?.textContent ?? null")


def test_notifications_are_used_by_keyboard_alone(demo, visit):
    demo.lock_empty(1)
    for text in ("first", "second", "third"):
        demo.send(text, category="message", **{"thread-id": text})
    page = visit("/phone/1")
    page.wait_for_selector(".notification:has-text('first')")
    # From the list of phones on, as somebody without a mouse comes.
    page.locator("nav a").last.focus()
    for _ in range(6):
        page.keyboard.press("Tab")
        if focused(page):
            break
    assert focused(page) == "third"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("ArrowDown")
    assert focused(page) == "second"
    page.keyboard.press("Delete")
    page.wait_for_selector(".notification:has-text('second')", state="detached")
    # The focus is where the next key press finds something.
    assert focused(page) == "first"
    page.keyboard.press("ArrowUp")
    assert focused(page) == "third"
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".actions")
    assert page.evaluate("document.activeElement.tagName") == "INPUT"
    page.keyboard.press("Escape")
    page.wait_for_selector(".actions", state="detached")
    assert focused(page) == "third"
    page.keyboard.press("ArrowRight")
    page.keyboard.type("by keyboard")
    page.keyboard.press("Enter")
    page.wait_for_selector(".notification:has-text('third')", state="detached")
    page.wait_for_selector("#journal li:has-text('by keyboard')")
    # A push that comes meanwhile takes nobody's focus away.
    page.locator(".notification:has-text('first') .body").focus()
    demo.send("fourth", category="message", **{"thread-id": "fourth"})
    page.wait_for_selector(".notification:has-text('fourth')")
    assert focused(page) == "first"
    page.keyboard.press("Enter")
    page.wait_for_selector(".in-app h2:has-text('News')")


def test_what_belongs_together_lies_in_one_stack(demo, visit):
    demo.lock_empty(1)
    demo.send("one", "two", "three", **{"thread-id": "match"})
    demo.send("solo", **{"thread-id": "other"})
    page = visit("/phone/1")
    page.wait_for_selector(".notification:has-text('solo')")
    cards = page.locator(".notification")
    assert cards.count() == 2
    stack = page.locator(".stack .notification")
    assert "three" in stack.inner_text() and "2 more notifications" in stack.inner_text()
    stack.locator(".body").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".stack-head:has-text('match')")
    assert cards.count() == 4
    assert focused(page) == "three"
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".stack")
    assert cards.count() == 2
    stack.locator(".body").click()
    page.get_by_role("button", name="Show less").click()
    page.wait_for_selector(".stack")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    # All of a stack are cleared together, and only they.
    stack.get_by_label("Clear all of this stack").click()
    page.wait_for_selector(".stack", state="detached")
    page.wait_for_selector(".notification:has-text('one')", state="detached")
    assert "solo" in cards.inner_text()
    assert [shown["body"] for shown in demo.phone(1)["lockScreen"]] == ["solo"]


def test_a_finger_swipes_and_holds(demo, visit):
    demo.lock_empty(1)
    for text in ("swipe me", "hold me", "open me"):
        demo.send(text, category="message", **{"thread-id": text})
    page = visit("/phone/1", width=390, touch=True)
    page.wait_for_selector(".notification:has-text('swipe me')")
    finger = page.context.new_cdp_session(page)

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def middle(text):
        # In one step: whatever comes draws the cards anew.
        return page.evaluate("""(text) => {
            const cards = [...document.querySelectorAll(".notification")];
            const box = cards.find((card) => card.textContent.includes(text)).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + 24];
        }""", text)

    def stroke(text, distance):
        x, y = middle(text)
        touch("touchStart", (x, y))
        for step in range(1, 6):
            touch("touchMove", (x + distance * step / 5, y))
        touch("touchEnd")

    # Too short a way changes nothing, and opens nothing.
    stroke("swipe me", -40)
    assert page.locator(".notification").count() == 3
    stroke("swipe me", -150)
    page.wait_for_selector(".notification:has-text('swipe me')", state="detached")
    assert demo.phone(1)["isLocked"]
    touch("touchStart", middle("hold me"))
    page.wait_for_selector(".notification:has-text('hold me') .actions")
    touch("touchEnd")
    assert demo.phone(1)["isLocked"], "a long press is no tap"
    assert page.locator(".notification:has-text('hold me') .actions").count() == 1
    stroke("open me", 150)
    page.wait_for_selector(".in-app h2:has-text('News')")


def test_a_journey_through_time_signs_nobody_out(demo, visit):
    page = visit("/console/sign-in")
    page.fill("input[name=name]", demo.ready["user"])
    page.fill("input[name=password]", demo.ready["password"])
    with page.expect_navigation(wait_until="load"):
        page.click("main button[type=submit]")
    demo.act(1, "advance", value="1d")
    page.goto(demo.url + "/console/apps/demo0000/pushes")
    assert page.url.endswith("/pushes") and page.locator("nav.places").count() == 1


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("language, scheme", [("en-GB", "light"), ("zh-CN", "dark")])
def test_everybody_can_use_the_phones_page(demo, visit, width, language, scheme):
    page = visit("/phone/1", language=language, width=width, scheme=scheme)
    page.wait_for_selector("#journal li")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_an_advance_that_is_no_time_says_what_is_allowed(demo):
    for value, sentence in [("soon", "allowed: such as"), ("25:00", "allowed: such as 09:00"), ("400d", "allowed: 8 days")]:
        with pytest.raises(urllib.error.HTTPError) as refusal:
            demo.act(1, "advance", value=value)
        assert refusal.value.code == 400 and sentence in refusal.value.read().decode()


def test_a_page_from_elsewhere_cannot_touch_a_phone(demo):
    request = urllib.request.Request(
        demo.url + "/phones/1/actions", data=b'{"action": "lock"}', headers={"Origin": "https://evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(request, timeout=30)
    assert refusal.value.code == 403


def test_another_start_goes_on_where_the_first_was(tmp_path):
    first = Demo(tmp_path / "data")
    try:
        first.act(1, "advance", value="2h")
        time = first.phone(1)["milliseconds"]
        count = first.call("GET", "/1.1/installations?count=1&limit=0")["count"]
    finally:
        assert first.stop() == 0
    assert not list((tmp_path / "data").glob("*-wal")), "the databases were closed"
    second = Demo(tmp_path / "data")
    try:
        assert second.phone(1)["milliseconds"] >= time
        again = second.call("GET", "/1.1/installations?count=1&limit=0")["count"]
        assert count <= again <= count + 2
        assert second.phone(1)["lockScreen"]
    finally:
        assert second.stop() == 0
