"use strict";
// Draws a phone from its state, and does to it what the finger does here. Everything comes from /phones.
(() => {
  const words = WORDS[navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"];
  document.documentElement.lang = words === WORDS.zh ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = words[element.dataset.text];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words[element.dataset.label]);
  }

  const find = (id) => document.getElementById(id);
  let id = decodeURIComponent(location.pathname.split("/")[2] || "");
  let state = null;
  // What only this page knows: which notification shows its buttons, and whether the list is pulled down.
  let expanded = null;
  let listIsOpen = false;
  let isTravelling = false;
  let received = 0;
  const journal = [];

  /** Makes an element; texts stay texts. */
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === undefined || value === null || value === false) continue;
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (key === "className") element.className = value;
      else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function fail(message) {
    const place = find("failure");
    place.textContent = message;
    place.hidden = false;
    clearTimeout(fail.timer);
    fail.timer = setTimeout(() => { place.hidden = true; }, 6000);
  }

  async function read(path, options) {
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      fail(words.gone);
      return null;
    }
    const answer = await response.json().catch(() => ({ error: response.statusText }));
    if (response.ok) return answer;
    fail(answer.error);
    return null;
  }

  async function act(action) {
    const answer = await read(`/phones/${encodeURIComponent(id)}/actions`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(action),
    });
    if (answer) show(answer);
    return answer;
  }

  // MARK: Time

  const milliseconds = () => state.milliseconds + (state.isClockRunning ? Date.now() - received : 0);

  /** What the phone's clock shows, as parts of its own local time. */
  function clock() {
    const [date, time] = state.time.split("T");
    const local = new Date(`${date}T${time}Z`).getTime() + (milliseconds() - state.milliseconds);
    return new Date(local);
  }

  const phoneLocale = () => (state.language.startsWith("zh") ? "zh-CN" : state.language);

  function format(date, options) {
    try {
      return new Intl.DateTimeFormat(phoneLocale(), { timeZone: "UTC", ...options }).format(date);
    } catch {
      return new Intl.DateTimeFormat("en", { timeZone: "UTC", ...options }).format(date);
    }
  }

  const hoursAndMinutes = (date) => format(date, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = (date) => format(date, { weekday: "long", month: "long", day: "numeric" });

  function when(notification) {
    const distance = milliseconds() - notification.milliseconds;
    if (distance < 60_000) return words.now;
    return hoursAndMinutes(new Date(clock().getTime() - distance));
  }

  function tick() {
    if (!state) return;
    const time = clock();
    find("status-time").textContent = hoursAndMinutes(time);
    const line = find("clock-line");
    line.replaceChildren(make("strong", {}, hoursAndMinutes(time)), `${day(time)} · ${state.zone.replace("_", " ")}`);
    const big = find("lock-time");
    if (big) {
      big.textContent = hoursAndMinutes(time);
      find("lock-date").textContent = day(time);
    }
  }

  // MARK: Notifications

  function letter(name) { return [...name][0] || "?"; }

  function card(notification, isBanner) {
    const isExpanded = expanded === notification.id;
    const tools = make("div", { className: "tools" });
    if (notification.actions.length || notification.asksToKeep) {
      tools.append(make("button", {
        type: "button", "aria-label": words.more, "aria-expanded": String(isExpanded),
        onclick: () => { expanded = isExpanded ? null : notification.id; draw(); },
      }, "⋯"));
    }
    tools.append(make("button", {
      type: "button", "aria-label": words.clear,
      onclick: () => act({ action: isBanner ? "flick" : "dismiss", notification: notification.id }),
    }, "×"));
    const element = make("article", { className: "notification" },
      make("button", {
        type: "button", className: "body",
        onclick: () => { listIsOpen = false; act({ action: "tap", notification: notification.id }); },
      },
        make("span", { className: "tile mini", "aria-hidden": "true" }, letter(notification.appName)),
        make("span", {},
          make("span", { className: "head" },
            make("span", { className: "title" }, notification.title || notification.appName),
            make("span", { className: "when" }, when(notification))),
          notification.subtitle ? make("span", { className: "text" }, notification.subtitle, make("br")) : null,
          make("span", { className: "text" }, notification.body))),
      tools);
    if (isExpanded) element.append(buttons(notification));
    let from = null;
    element.addEventListener("pointerdown", (event) => { from = event.clientX; });
    element.addEventListener("pointerup", (event) => {
      if (from !== null && from - event.clientX > 90) act({ action: isBanner ? "flick" : "dismiss", notification: notification.id });
      from = null;
    });
    return element;
  }

  function buttons(notification) {
    const box = make("div", { className: "actions" });
    for (const action of notification.actions) {
      if (action.buttonTitle !== undefined && action.buttonTitle !== null) {
        const input = make("input", {
          type: "text", placeholder: action.placeholder || action.title, "aria-label": action.title, maxlength: 500,
        });
        box.append(make("form", {
          className: "reply",
          onsubmit: (event) => {
            event.preventDefault();
            expanded = null;
            act({ action: "act", notification: notification.id, value: action.identifier, text: input.value });
          },
        }, input, make("button", { type: "submit" }, action.buttonTitle || words.reply)));
      } else {
        box.append(make("button", {
          type: "button", className: action.isDestructive ? "destructive" : undefined,
          onclick: () => { expanded = null; act({ action: "act", notification: notification.id, value: action.identifier }); },
        }, action.title));
      }
    }
    if (notification.asksToKeep) {
      box.append(
        make("button", { type: "button", onclick: () => act({ action: "keep", app: notification.app }) }, words.keep),
        make("button", {
          type: "button", className: "destructive", onclick: () => act({ action: "turn-off", app: notification.app }),
        }, words.turnOff));
    }
    return box;
  }

  // MARK: The screen

  // A Live Activity: what it shows is the app's drawing, of which here are the values.
  function liveActivity(activity) {
    const values = Object.entries({ ...activity.attributes, ...activity.contentState });
    return make("article", { className: "notification" },
      make("div", { className: "body" },
        make("span", { className: "tile mini", "aria-hidden": "true" }, letter(activity.attributesType)),
        make("span", {},
          make("span", { className: "head" },
            make("span", { className: "title" }, activity.attributesType),
            make("span", { className: "when" }, words.activityStates[activity.state] || "")),
          make("span", { className: "text" },
            values.map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(" · ")))));
  }

  function lockScreen() {
    return [
      make("div", { className: "lock-clock" },
        make("p", { className: "lock-date", id: "lock-date" }), make("p", { className: "lock-time", id: "lock-time" })),
      ...state.liveActivities.map(liveActivity),
      ...state.lockScreen.map((notification) => card(notification, false)),
      make("button", { type: "button", className: "unlock", onclick: () => act({ action: "unlock" }) }, words.unlock),
    ];
  }

  function list() {
    const parts = [
      make("div", { className: "list-head" },
        make("h3", {}, words.list),
        make("span", { className: "buttons" },
          state.groups.length
            ? make("button", { type: "button", className: "round", onclick: () => act({ action: "clear" }) }, words.clearAll)
            : null,
          make("button", { type: "button", className: "round", onclick: () => { listIsOpen = false; draw(); } }, words.close))),
    ];
    if (!state.groups.length) parts.push(make("p", { className: "empty" }, words.none));
    for (const group of state.groups) {
      const app = state.apps.find((each) => each.bundleIdentifier === group.app);
      parts.push(make("p", { className: "thread" },
        [app ? app.name : group.app, group.threadIdentifier].filter(Boolean).join(" · ")));
      parts.push(...group.notifications.map((notification) => card(notification, false)));
    }
    return parts;
  }

  function homeScreen() {
    return [make("div", { className: "icons" }, ...state.apps.map((app) => make("button", {
      type: "button", className: "icon", onclick: () => act({ action: "open", app: app.bundleIdentifier }),
      "aria-label": app.badge ? `${app.name}, ${app.badge}` : app.name,
    },
      make("span", { className: "tile", "aria-hidden": "true" }, letter(app.name)),
      app.badge ? make("span", { className: "badge", "aria-hidden": "true" }, String(app.badge)) : null,
      app.name)))];
  }

  function appScreen() {
    const app = state.apps.find((each) => each.bundleIdentifier === state.front);
    const events = journal.filter((entry) => ["tapped", "acted", "dismissed"].includes(entry.event) && entry.app === state.front);
    return [make("div", { className: "in-app" },
      make("h3", {}, app ? app.name : state.front), make("p", {}, words.inFront),
      make("ul", {}, ...events.slice(-6).reverse().map((entry) => make("li", {},
        entry.text || entry.event, make("small", {}, entry.time.replace("T", " "))))))];
  }

  function draw() {
    if (!state) return;
    const layer = find("layer");
    const focused = document.activeElement && layer.contains(document.activeElement) && document.activeElement.tagName === "INPUT";
    // Who writes a reply must not lose it to a new notification.
    if (!focused) {
      const isApp = !state.isLocked && !listIsOpen && state.front;
      find("screen").classList.toggle("app-open", Boolean(isApp));
      layer.className = isApp ? "layer app" : "layer";
      layer.replaceChildren(...(state.isLocked ? lockScreen() : listIsOpen ? list() : state.front ? appScreen() : homeScreen()));
      find("banner").replaceChildren(...(state.banner && !state.isLocked ? [card(state.banner, true)] : []));
    }
    find("status-icons").textContent = [
      state.isAirplane ? "✈" : "", state.focus ? "☾" : "", state.isMuted ? words.silent : "", state.isLowPower ? "▮" : "▰▰▰",
    ].filter(Boolean).join(" ");
    drawPrompt();
    drawPanel();
    tick();
  }

  function drawPrompt() {
    const place = find("prompt");
    if (!state.prompt) {
      place.replaceChildren();
    } else if (!place.firstChild) {
      const app = state.apps.find((each) => each.bundleIdentifier === state.prompt.app);
      place.replaceChildren(make("div", { className: "prompt", role: "alertdialog", "aria-label": words.ask(app ? app.name : "") },
        make("h3", {}, words.ask(app ? app.name : "")), make("p", {}, words.askText),
        make("div", {},
          make("button", { type: "button", onclick: () => act({ action: "deny" }) }, words.no),
          make("button", { type: "button", onclick: () => act({ action: "allow" }) }, words.yes))));
    }
  }

  // MARK: Around it

  function toggle(key, label, isOn, action, options = {}) {
    return make("button", {
      type: "button", className: options.isPart ? "switch part" : "switch", role: "switch", "aria-checked": String(isOn),
      disabled: options.isDisabled, "data-key": key, onclick: () => act(action(!isOn)),
    }, label, make("span", { className: "track", "aria-hidden": "true" }));
  }

  /** Puts new content in place and gives the focus back to what has the same key. */
  function replace(place, children) {
    const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    place.replaceChildren(...children);
    if (key) place.querySelector(`[data-key="${key}"]`)?.focus();
  }

  function drawPanel() {
    const onOff = (isOn) => (isOn ? "on" : "off");
    replace(find("phone-switches"), [
      toggle("lock", words.locked, state.isLocked, (isOn) => ({ action: isOn ? "lock" : "unlock" })),
      toggle("airplane", words.airplane, state.isAirplane, (isOn) => ({ action: "airplane", value: onOff(isOn) })),
      toggle("focus", words.focus, Boolean(state.focus), (isOn) => ({ action: "focus", value: onOff(isOn) })),
      toggle("mute", words.muted, state.isMuted, (isOn) => ({ action: "mute", value: onOff(isOn) })),
      toggle("power", words.lowPower, state.isLowPower, (isOn) => ({ action: "power", value: onOff(isOn) })),
    ]);
    const app = state.apps[0];
    if (!app) {
      replace(find("app-settings"), [make("p", { className: "note" }, words.noApp)]);
      return;
    }
    const settings = app.settings;
    const isAllowed = settings.allowsNotifications;
    const part = (key, name, label) => toggle(key, label, Boolean(settings[name]),
      (isOn) => ({ action: "settings", app: app.bundleIdentifier, value: `${key} ${onOff(isOn)}` }),
      { isPart: true, isDisabled: !isAllowed });
    const banner = toggle("banners", words.banners, settings.banners !== "none",
      (isOn) => ({ action: "settings", app: app.bundleIdentifier, value: `banners ${onOff(isOn)}` }),
      { isPart: true, isDisabled: !isAllowed });
    replace(find("app-settings"), [
      toggle("allow", words.allow, isAllowed, (isOn) => ({ action: "settings", app: app.bundleIdentifier, value: onOff(isOn) })),
      banner, part("lock-screen", "lockScreen", words.lockScreen), part("list", "notificationCenter", words.list),
      part("sounds", "sounds", words.sounds), part("badges", "badges", words.badges),
    ]);
    const button = (key, label, action) => make("button", {
      type: "button", "data-key": key, onclick: () => act({ action, app: app.bundleIdentifier }),
    }, label);
    replace(find("app-buttons"), [
      button("open", words.open, "open"),
      make("button", { type: "button", "data-key": "home", onclick: () => act({ action: "home" }) }, words.leave),
      button("quit", words.quit, "quit"), button("reinstall", words.reinstall, "reinstall"),
    ]);
    find("app-state").textContent =
      `${words.state}: ${words.states[app.state] || app.state} · ${words.pending(app.pendingCount)}`;
    document.title = `${state.name} · Belfry`;
    find("page-name").textContent = state.name;
  }

  function drawJournal(entry) {
    const place = find("journal");
    place.prepend(make("li", {},
      make("span", { className: "when" }, entry.time.slice(5).replace("T", " ")), make("span", {}, entry.event),
      make("span", { className: "what" }, entry.text)));
    while (place.childElementCount > 200) place.lastChild.remove();
  }

  // MARK: Sound

  let audio = null;
  addEventListener("pointerdown", () => { audio = audio || new AudioContext(); }, { once: true });

  function chime() {
    if (!audio) return;
    for (const [offset, frequency] of [[0, 1046], [0.13, 1318]]) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const start = audio.currentTime + offset;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.12, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 0.4);
    }
  }

  // MARK: Life

  function show(answer) {
    state = answer;
    received = Date.now();
    draw();
  }

  let isReading = false;
  let isStale = false;

  /** Reads the state again; while an answer is on its way, once more afterwards. */
  async function refresh() {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      const answer = await read(`/phones/${encodeURIComponent(id)}`);
      if (answer) show(answer);
    }
    isReading = false;
  }

  async function travel(value) {
    if (isTravelling) return;
    isTravelling = true;
    for (const button of document.querySelectorAll("#travel button")) button.disabled = true;
    find("travel-note").textContent = words.travelling;
    await act({ action: "advance", value });
    for (const button of document.querySelectorAll("#travel button")) button.disabled = false;
    find("travel-note").textContent = "";
    isTravelling = false;
  }

  async function start() {
    const answer = await read("/phones");
    if (!answer) return;
    if (!id && answer.phones.length) id = answer.phones[0].id;
    find("phones").replaceChildren(...answer.phones.map((phone) => make("a", {
      href: `/phone/${encodeURIComponent(phone.id)}`, "aria-current": phone.id === id ? "page" : undefined,
    }, `${phone.name} · ${phone.zone.split("/").pop().replace("_", " ")}`)));
    const past = await read(`/phones/${encodeURIComponent(id)}/journal`);
    for (const entry of past || []) {
      journal.push(entry);
      drawJournal(entry);
    }
    await refresh();
    const last = journal.length ? journal[journal.length - 1].number : 0;
    const events = new EventSource(`/phones/${encodeURIComponent(id)}/events`);
    events.addEventListener("entry", (event) => {
      const entry = JSON.parse(event.data);
      if (entry.number <= last) return;
      journal.push(entry);
      if (journal.length > 500) journal.shift();
      drawJournal(entry);
      if (entry.event === "sound") chime();
      refresh();
    });
    events.addEventListener("open", refresh);
  }

  find("status-time").addEventListener("click", () => {
    if (!state || state.isLocked) return;
    listIsOpen = !listIsOpen;
    draw();
  });
  find("home").addEventListener("click", () => {
    if (!state) return;
    if (state.isLocked) act({ action: "unlock" });
    else if (listIsOpen) { listIsOpen = false; draw(); } else act({ action: "home" });
  });
  find("travel").addEventListener("click", (event) => {
    const value = event.target.dataset.advance;
    if (value) travel(value);
  });
  find("travel-form").addEventListener("submit", (event) => {
    event.preventDefault();
    travel(find("travel-time").value);
  });
  setInterval(tick, 1000);
  start();
})();
