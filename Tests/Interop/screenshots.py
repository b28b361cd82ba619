"""Takes a picture of every page of the console: `.venv/bin/python Tests/Interop/screenshots.py [FOLDER [NAME…]]`."""

import pathlib
import shutil
import sys
import tempfile

from playwright.sync_api import sync_playwright

import console
from gateway import ROOT, Gateway
from service import Service

TOPIC = "com.example.App"


def prepare(folder):
    """A gateway and a service with the content of a news app, with a day behind it."""
    (folder / "gateway").mkdir()
    gateway = Gateway(folder / "gateway")
    service = Service(folder / "service", gateway, topic=TOPIC)
    console.add_users(service)
    service.start("--gateway-control", gateway.control)
    ids = console.register(service, gateway, 400, TOPIC)
    console.add_refused(service, {"fa11041001": 14, "fa11040001": 9, "fa11040002": 3})
    for _ in range(4):
        console.add_history(service, ids)
    service.stop()
    console.spread_over_a_day(service)
    service.start("--gateway-control", gateway.control)
    console.add_schedules(service)
    return gateway, service, ids


def paths(service, ids):
    """The address of each page by the name of its picture."""
    app = "/console/apps/" + service.app_id
    push = service.master("GET", "/1.1/notifications?limit=12")["results"]
    done = [row for row in push if row["status"] == "done"][0]["objectId"]
    return {
        "overview": app + "/overview",
        "compose": app + "/compose",
        "pushes": app + "/pushes",
        "push": f"{app}/pushes/{done}",
        "schedules": app + "/schedules",
        "installations": app + "/installations",
        "installation": f"{app}/installations/{ids[0]}",
        "explain": f"{app}/explain?push={done}&installation={ids[0]}",
        "events": app + "/events",
        "credentials": app + "/credentials",
        "apps": "/console/apps",
        "users": "/console/users",
        "audit": "/console/audit",
        "gateway": "/console/gateway",
    }


def write_push(page):
    page.fill("#title-0", "Morning briefing")
    page.fill("#body-0", "Five stories to start your day: markets, weather and the long weekend ahead.")
    page.check("input[name=audience][value=channels]")
    page.fill("#field-channels", "news")
    page.check("input[name=when][value=recurring]")
    page.wait_for_selector("#audience-panel .audience-count")
    page.wait_for_selector("#times .times")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/screenshots")
    wanted = sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        gateway, service, ids = prepare(pathlib.Path(data))
        try:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for language, width, scheme in [
                ("en", 1280, "light"), ("en", 390, "light"), ("zh-CN", 1280, "light"), ("en", 1280, "dark"),
                ("zh-CN", 390, "dark"), ("en", 390, "dark"), ("zh-CN", 1280, "dark"),
            ]:
                context = browser.new_context(
                    locale=language, viewport={"width": width, "height": 900}, color_scheme=scheme,
                    timezone_id="Asia/Shanghai", device_scale_factor=1,
                )
                page = context.new_page()
                suffix = f"{language.split('-')[0]}-{width}-{scheme}"
                page.goto(service.url + "/console/sign-in")
                if not wanted or "sign-in" in wanted:
                    page.screenshot(path=folder / f"sign-in-{suffix}.png", full_page=True)
                console.sign_in(page, service.url)
                for name, path in paths(service, ids).items():
                    if wanted and name not in wanted:
                        continue
                    page.goto(service.url + path)
                    if name == "compose":
                        write_push(page)
                    page.wait_for_selector(".loading, [aria-busy=true]", state="detached")
                    page.wait_for_timeout(300)
                    page.screenshot(path=folder / f"{name}-{suffix}.png", full_page=True)
                    overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                    if overflow > 0:
                        print(f"{name}-{suffix}: {overflow} px wider than the window")
                context.close()
            browser.close()
        finally:
            service.stop()
            gateway.stop()


if __name__ == "__main__":
    main()
