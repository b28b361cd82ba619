"""A mixed load on the API at a steady rate, and how long each kind of request takes."""

import http.client
import json
import random
import threading
import time
import urllib.parse

from .probe import GUEST

SMALL_CHANNELS = 200
# How many devices report events; few, so that each soon has an interest in every word.
READERS = 500
WORDS = ["sport", "politics", "science", "music", "film", "travel", "food", "money", "health", "games"]
ZONES = ["Asia/Shanghai", "Europe/Berlin", "America/New_York", "Pacific/Auckland", "UTC"]
# Share of the requests that each kind has.
MIX = {
    "update by token": 30, "update by id": 12, "register": 8, "events": 12, "opens": 5, "small push": 8,
    "push by where": 3, "query": 6, "count": 3, "get installation": 4, "records": 2, "record": 5,
    "schedule and cancel": 1, "repeated request": 1,
}


class Latencies:
    """Milliseconds by kind, since the start and since the last look."""

    def __init__(self):
        self._lock = threading.Lock()
        self.all, self._recent, self.errors = {}, {}, []

    def add(self, kind, milliseconds):
        with self._lock:
            self.all.setdefault(kind, []).append(milliseconds)
            self._recent.setdefault(kind, []).append(milliseconds)

    def fail(self, text):
        with self._lock:
            self.errors.append(text)

    def take_recent(self):
        with self._lock:
            recent, self._recent = self._recent, {}
            return recent


class Load:
    """Sends requests from a few threads, each at its own times, whatever the answers take."""

    def __init__(self, service, tokens, rate, seed, threads=8):
        self.service, self.tokens, self.rate, self.seed, self.thread_count = service, tokens, rate, seed, threads
        self.latencies = Latencies()
        self.ids = [f"{index:024x}" for index in range(len(tokens))]
        self.pushes, self.late_max = [], 0.0
        self._stop = threading.Event()
        self._threads = []

    def start(self):
        for number in range(self.thread_count):
            thread = threading.Thread(target=self._run, args=[number], daemon=True)
            thread.start()
            self._threads.append(thread)
        thread = threading.Thread(target=self._large, daemon=True)
        thread.start()
        self._threads.append(thread)

    def stop(self):
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=90)

    # Threads

    def _run(self, number):
        chance = random.Random(f"{self.seed}/{number}")
        client = Client(self.service, self.latencies)
        kinds, weights = list(MIX), list(MIX.values())
        due = time.monotonic()
        while True:
            due += chance.expovariate(self.rate / self.thread_count)
            now = time.monotonic()
            if self._stop.wait(max(0, due - now)):
                return
            # Time by which this client itself was behind: an answer took longer than the time to the next request.
            self.late_max = max(self.late_max, now - due)
            kind = chance.choices(kinds, weights)[0]
            getattr(self, "_" + kind.replace(" ", "_"))(client, chance, kind)

    def _large(self):
        """To every device twice a minute, and a schedule of every minute that is made and taken back."""
        client = Client(self.service, self.latencies)
        chance = random.Random(f"{self.seed}/large")
        client.push("make schedule", {
            "channels": ["c1"], "data": {"alert": "Every minute"},
            "schedule": {"rrule": "FREQ=MINUTELY", "timezone": "Asia/Shanghai"}})
        client.push("make schedule", {
            "channels": ["c2"], "data": {"alert": "Good morning"},
            "schedule": {"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "device"}})
        former = None
        while not self._stop.is_set():
            self._keep(client.push("large push", {
                "channels": ["all"], "data": {"alert": {"title": "To all", "body": self._text(chance)}}}))
            schedule = client.push("make schedule", {
                "channels": [f"c{chance.randrange(SMALL_CHANNELS)}"], "data": {"alert": "For a minute or two"},
                "schedule": {"rrule": "FREQ=MINUTELY", "timezone": chance.choice(ZONES)}})
            if former:
                client.master("cancel", "POST", f"/1.1/pushes/{former}/cancel", {})
            former = schedule
            if self._stop.wait(30):
                break
        if former:
            client.master("cancel", "POST", f"/1.1/pushes/{former}/cancel", {})

    # Kinds

    def _device(self, chance):
        return chance.randrange(len(self.tokens))

    @staticmethod
    def _text(chance):
        return " ".join(chance.choice(WORDS) for _ in range(12))

    def _keep(self, push):
        if push:
            self.pushes.append((time.time(), push))
            del self.pushes[:-2000]

    def _update_by_token(self, client, chance, kind):
        index = self._device(chance)
        client.app(kind, "POST", "/1.1/installations", {
            "deviceType": "ios", "deviceToken": self.tokens[index], "timeZone": chance.choice(ZONES),
            "channels": ["all", f"c{index % SMALL_CHANNELS}"], "age": chance.randint(14, 80),
            "favourite": chance.choice(WORDS), "badge": 0})

    def _update_by_id(self, client, chance, kind):
        index = self._device(chance)
        client.app(kind, "PUT", f"/1.1/installations/{self.ids[index]}", {
            "visits": {"__op": "Increment", "amount": 1}, "seen": self._text(chance)})

    def _register(self, client, chance, kind):
        # A device that is never heard of again.
        client.app(kind, "POST", "/1.1/installations", {
            "deviceType": "ios", "deviceToken": GUEST + f"{chance.getrandbits(192):048x}",
            "channels": ["guests"], "timeZone": chance.choice(ZONES)})

    def _events(self, client, chance, kind):
        client.app(kind, "POST", "/1.1/events", {"events": [
            {"name": "read", "installation": self.ids[chance.randrange(READERS)], "article": f"a{chance.randrange(10**6)}",
             "tags": chance.sample(WORDS, 2), "properties": {"seconds": chance.randint(1, 300)}}
            for _ in range(chance.randint(1, 5))]})

    def _opens(self, client, chance, kind):
        if self.pushes:
            client.app(kind, "POST", "/1.1/stats/collect", {
                "client": {"id": self.ids[self._device(chance)]},
                "events": [{"event": "open", "attributes": {"notificationId": chance.choice(self.pushes)[1]}}]})

    def _small_push(self, client, chance, kind):
        self._keep(client.push(kind, {
            "channels": [f"c{chance.randrange(SMALL_CHANNELS)}"], "data": {"alert": self._text(chance)}}))

    def _push_by_where(self, client, chance, kind):
        self._keep(client.push(kind, {
            "where": {"favourite": chance.choice(WORDS), "age": {"$gte": 75}}, "data": {"alert": self._text(chance)}}))

    def _query(self, client, chance, kind):
        where = {"favourite": chance.choice(WORDS), "age": {"$lt": chance.randint(20, 60)}}
        client.master(kind, "GET", "/1.1/installations?" + urllib.parse.urlencode(
            {"where": json.dumps(where), "limit": 20, "order": "-updatedAt"}))

    def _count(self, client, chance, kind):
        where = {"channels": f"c{chance.randrange(SMALL_CHANNELS)}"}
        client.master(kind, "GET", "/1.1/installations?" + urllib.parse.urlencode(
            {"where": json.dumps(where), "limit": 0, "count": 1}))

    def _get_installation(self, client, chance, kind):
        client.app(kind, "GET", f"/1.1/installations/{self.ids[self._device(chance)]}")

    def _records(self, client, chance, kind):
        client.master(kind, "GET", "/1.1/notifications?limit=20")

    def _record(self, client, chance, kind):
        if self.pushes:
            client.master(kind, "GET", f"/1.1/notifications/{chance.choice(self.pushes)[1]}")

    def _schedule_and_cancel(self, client, chance, kind):
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 3600))
        push = client.push(kind, {"channels": ["all"], "data": {"alert": "Never"}, "push_time": moment})
        if push:
            client.master("cancel", "POST", f"/1.1/pushes/{push}/cancel", {})

    def _repeated_request(self, client, chance, kind):
        body = {
            "channels": [f"c{chance.randrange(SMALL_CHANNELS)}"], "data": {"alert": "Once"},
            "req_id": f"{chance.getrandbits(64):x}"}
        first, second = client.push(kind, body), client.push(kind, body)
        self._keep(first)
        if first != second:
            self.latencies.fail(f"one req_id made two pushes: {first}, {second}")


class Client:
    """One connection that stays open, and the time of each answer."""

    def __init__(self, service, latencies):
        self.service, self.latencies = service, latencies
        self.connection = None

    def app(self, kind, method, path, body=None):
        return self._ask(kind, method, path, body, self.service.app_key)

    def master(self, kind, method, path, body=None):
        return self._ask(kind, method, path, body, self.service.master_key + ",master")

    def push(self, kind, body):
        answer = self.master(kind, "POST", "/1.1/push", body)
        return answer and answer.get("objectId")

    def _ask(self, kind, method, path, body, key):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.service.url.split("//")[1], timeout=60)
        data = None if body is None else json.dumps(body)
        headers = {"content-type": "application/json", "x-lc-id": self.service.app_id, "x-lc-key": key}
        start = time.perf_counter()
        try:
            self.connection.request(method, path, data, headers)
            response = self.connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.latencies.fail(f"{kind}: {error!r}")
            self.connection.close()
            self.connection = None
            return None
        self.latencies.add(kind, (time.perf_counter() - start) * 1000)
        if not 200 <= response.status < 300:
            self.latencies.fail(f"{kind}: {response.status} {text[:200].decode(errors='replace')}")
            return None
        return json.loads(text) if text else {}
