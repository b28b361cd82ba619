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
  // What only this page knows: which notification shows its buttons, which stacks lie open, and whether the list is
  // pulled down.
  let expanded = null;
  const openStacks = new Set();
  let listIsOpen = false;
  // What has the focus after the next drawing, when what has it now is gone.
  let nextFocus = null;
  let isPressed = false;
  let isDragging = false;
  let isOutdated = false;
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

  /** A notification; with a stack, the newest of those that lie under it. */
  function card(notification, { isBanner = false, stack = null } = {}) {
    const key = `n${notification.id}`;
    const isExpanded = expanded === notification.id;
    const open = () => {
      if (stack) {
        openStacks.add(stack.key);
        nextFocus = key;
        draw();
      } else {
        listIsOpen = false;
        act({ action: "tap", notification: notification.id });
      }
    };
    const clear = () => (stack ? clearAll(stack) : clearOne(notification, isBanner));
    const hasButtons = notification.actions.length > 0 || notification.asksToKeep;
    const toggleButtons = () => {
      if (!hasButtons) return;
      expanded = isExpanded ? null : notification.id;
      nextFocus = isExpanded ? key : `${key}-0`;
      draw();
    };
    const tools = make("div", { className: "tools" });
    if (hasButtons) {
      tools.append(make("button", {
        type: "button", "aria-label": words.more, "aria-expanded": String(isExpanded), "data-key": `${key}-more`,
        onclick: () => { expanded = isExpanded ? null : notification.id; draw(); },
      }, "⋯"));
    }
    tools.append(make("button", {
      type: "button", "aria-label": stack ? words.clearStack : words.clear, "data-key": `${key}-clear`, onclick: clear,
    }, "×"));
    const rest = stack ? stack.notifications.length - 1 : 0;
    const element = make("article", { className: "notification" },
      make("button", {
        type: "button", className: "body", "data-key": key, "aria-expanded": stack ? "false" : undefined,
        "aria-keyshortcuts": hasButtons ? "Delete ArrowRight" : "Delete", onclick: open,
      },
        make("span", { className: "tile mini", "aria-hidden": "true" }, letter(notification.appName)),
        make("span", {},
          make("span", { className: "head" },
            make("span", { className: "title" }, notification.title || notification.appName),
            make("span", { className: "when" }, when(notification))),
          notification.subtitle ? make("span", { className: "text" }, notification.subtitle, make("br")) : null,
          make("span", { className: "text" }, notification.body),
          rest ? make("span", { className: "rest" }, words.moreInStack(rest)) : null)),
      tools);
    if (isExpanded) element.append(buttons(notification));
    element.addEventListener("contextmenu", (event) => {
      if (event.target.closest("input")) return;
      event.preventDefault();
      if (!isExpanded) toggleButtons();
    });
    // By keyboard: what the finger does, and from one notification to the next.
    element.addEventListener("keydown", (event) => {
      const isInput = event.target.tagName === "INPUT";
      const isMenu = event.target.closest(".actions") !== null;
      const done = () => { event.preventDefault(); event.stopPropagation(); };
      if (event.key === "Escape" && (isExpanded || isBanner)) {
        done();
        if (!isExpanded) { act({ action: "flick", notification: notification.id }); return; }
        if (isInput) event.target.blur();
        toggleButtons();
      } else if (isInput) {
        return;
      } else if (event.key === "Delete" || event.key === "Backspace") {
        done();
        clear();
      } else if (event.key === "ArrowRight" || event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
        done();
        if (!isExpanded) toggleButtons();
      } else if (event.key === "ArrowLeft") {
        done();
        if (isExpanded) toggleButtons();
        else closeStack(notification);
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        done();
        const all = isMenu
          ? [...element.querySelectorAll(".actions button, .actions input")]
          : [...find("screen").querySelectorAll(".notification .body")];
        const at = all.indexOf(isMenu ? event.target : element.querySelector(".body"));
        all[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
      }
    });
    follow(element, { clear, open, hold: () => { if (!isExpanded) toggleButtons(); }, isBanner });
    return element;
  }

  /** Clears a notification; the focus goes to the one that takes its place. */
  function clearOne(notification, isBanner) {
    focusAfter([notification]);
    return act({ action: isBanner ? "flick" : "dismiss", notification: notification.id });
  }

  async function clearAll(stack) {
    focusAfter(stack.notifications);
    for (const notification of stack.notifications) await act({ action: "dismiss", notification: notification.id });
  }

  function focusAfter(gone) {
    const focused = document.activeElement?.closest("article, .stack-head");
    if (!focused || !find("layer").contains(focused)) return;
    const ids = new Set(gone.map((each) => `n${each.id}`));
    const keys = [...find("layer").querySelectorAll(".notification .body")].map((body) => body.dataset.key);
    const first = keys.findIndex((key) => ids.has(key));
    const left = keys.filter((key) => !ids.has(key));
    nextFocus = left[Math.min(Math.max(first, 0), left.length - 1)] ?? null;
  }

  // MARK: Stacks

  const stackKey = (notification) => `${notification.app} ${notification.threadIdentifier || ""}`;

  /** Notifications of one app and thread lie on one another, as iOS has them; the stack with the newest comes first. */
  function stacks(notifications) {
    const byKey = new Map();
    for (const notification of notifications) {
      const key = stackKey(notification);
      if (!byKey.has(key)) byKey.set(key, { key, notifications: [] });
      byKey.get(key).notifications.push(notification);
    }
    return [...byKey.values()].flatMap((stack) => {
      const [newest] = stack.notifications;
      if (stack.notifications.length === 1) return [card(newest)];
      if (!openStacks.has(stack.key)) return [make("div", { className: "stack" }, card(newest, { stack }))];
      return [
        make("div", { className: "stack-head" },
          make("p", {}, [newest.appName, newest.threadIdentifier].filter(Boolean).join(" · ")),
          make("button", {
            type: "button", className: "round", "data-key": `less ${stack.key}`, onclick: () => closeStack(newest),
          }, words.showLess),
          make("button", {
            type: "button", className: "round", "data-key": `clear ${stack.key}`, "aria-label": words.clearStack,
            onclick: () => clearAll(stack),
          }, "×")),
        ...stack.notifications.map((notification) => card(notification)),
      ];
    });
  }

  function closeStack(notification) {
    const key = stackKey(notification);
    if (!openStacks.delete(key)) return;
    const shown = listIsOpen && !state.isLocked ? state.groups.flatMap((group) => group.notifications) : state.lockScreen;
    const newest = shown.find((each) => stackKey(each) === key);
    nextFocus = newest ? `n${newest.id}` : null;
    draw();
  }

  // MARK: The finger

  const HOLD_MILLISECONDS = 500;
  const SWIPE_PIXELS = 90;
  // After a swipe or a long press the click that ends it means nothing.
  let swallowsClick = false;
  const CLICK_MILLISECONDS = 50;
  addEventListener("pointerdown", () => { swallowsClick = false; }, true);
  for (const type of ["pointerup", "pointercancel", "blur"]) {
    // The click of a press comes a little after it: what is drawn anew between the two would not hear it.
    addEventListener(type, () => setTimeout(letGo, CLICK_MILLISECONDS), true);
  }

  /** A card that is pressed stays what it is until the finger is gone; what came meanwhile is drawn then. */
  function letGo() {
    isPressed = false;
    if (!isOutdated || isDragging) return;
    isOutdated = false;
    draw();
  }

  addEventListener("click", (event) => {
    // A key or an assistive program clicks without a press before it.
    if (!swallowsClick || event.detail === 0) return;
    event.stopPropagation();
    event.preventDefault();
  }, true);

  /** A card under a finger, a pen or a mouse: left clears, right opens, a long press shows the buttons. */
  function follow(element, { clear, open, hold, isBanner }) {
    let from = null;
    let timer = null;
    const putBack = () => {
      clearTimeout(timer);
      element.classList.remove("dragged");
      element.style.transform = "";
      element.style.opacity = "";
      from = null;
      isDragging = false;
    };
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest(".actions, .tools")) return;
      from = { x: event.clientX, y: event.clientY };
      isPressed = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        from = null;
        swallowsClick = true;
        isPressed = false;
        hold();
      }, HOLD_MILLISECONDS);
    });
    element.addEventListener("pointermove", (event) => {
      if (!from) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      const isAcross = Math.abs(x) > Math.abs(y);
      if (!isDragging) {
        if (Math.hypot(x, y) < 8) return;
        clearTimeout(timer);
        if (!isAcross && !isBanner) { from = null; return; }
        isDragging = true;
        swallowsClick = true;
        element.setPointerCapture(event.pointerId);
        element.classList.add("dragged");
      }
      element.style.transform = isBanner && !isAcross ? `translateY(${Math.min(y, 8)}px)` : `translateX(${x}px)`;
      element.style.opacity = String(1 - Math.min(Math.abs(x) / 400, 0.6));
    });
    element.addEventListener("pointerup", (event) => {
      clearTimeout(timer);
      if (!from) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      const wasDragging = isDragging;
      putBack();
      if (!wasDragging) return;
      // While somebody writes nothing is drawn; a swipe elsewhere ends that.
      if (document.activeElement?.tagName === "INPUT") document.activeElement.blur();
      if (x < -SWIPE_PIXELS || (isBanner && y < -SWIPE_PIXELS / 3)) clear();
      else if (x > SWIPE_PIXELS) open();
    });
    element.addEventListener("pointercancel", putBack);
    // A part of the card loses the capture that a touch begins with, to the card.
    element.addEventListener("lostpointercapture", (event) => { if (from && event.target === element) putBack(); });
  }

  /** What follows a short stroke up or down that begins on an element. */
  function onStroke(element, direction, action) {
    let from = null;
    element.addEventListener("pointerdown", (event) => {
      from = event.clientY;
      // Buttons inside keep their clicks: the capture begins with the stroke.
    });
    element.addEventListener("pointermove", (event) => {
      if (from === null || (event.clientY - from) * direction < 30) return;
      from = null;
      swallowsClick = true;
      action();
    });
    for (const type of ["pointerup", "pointercancel", "pointerleave"]) {
      element.addEventListener(type, () => { from = null; });
    }
  }

  function buttons(notification) {
    const box = make("div", { className: "actions", role: "group", "aria-label": words.more });
    let count = 0;
    const key = () => `n${notification.id}-${count++}`;
    for (const action of notification.actions) {
      if (action.buttonTitle !== undefined && action.buttonTitle !== null) {
        const input = make("input", {
          type: "text", placeholder: action.placeholder || action.title, "aria-label": action.title, maxlength: 500,
          "data-key": key(),
        });
        box.append(make("form", {
          className: "reply",
          onsubmit: (event) => {
            event.preventDefault();
            expanded = null;
            focusAfter([notification]);
            // While somebody writes nothing is drawn.
            input.blur();
            act({ action: "act", notification: notification.id, value: action.identifier, text: input.value });
          },
        }, input, make("button", { type: "submit" }, action.buttonTitle || words.reply)));
      } else {
        box.append(make("button", {
          type: "button", className: action.isDestructive ? "destructive" : undefined, "data-key": key(),
          onclick: () => { expanded = null; act({ action: "act", notification: notification.id, value: action.identifier }); },
        }, action.title));
      }
    }
    if (notification.asksToKeep) {
      box.append(
        make("button", {
          type: "button", "data-key": key(), onclick: () => act({ action: "keep", app: notification.app }),
        }, words.keep),
        make("button", {
          type: "button", className: "destructive", "data-key": key(), onclick: () => act({ action: "turn-off", app: notification.app }),
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
      ...stacks(state.lockScreen),
      make("button", { type: "button", className: "unlock", onclick: () => act({ action: "unlock" }) }, words.unlock),
    ];
  }

  function list() {
    const parts = [
      make("div", { className: "list-head" },
        make("h2", {}, words.list),
        make("span", { className: "buttons" },
          state.groups.length
            ? make("button", { type: "button", className: "round", onclick: () => act({ action: "clear" }) }, words.clearAll)
            : null,
          make("button", { type: "button", className: "round", onclick: () => { listIsOpen = false; draw(); } }, words.close))),
    ];
    if (!state.groups.length) parts.push(make("p", { className: "empty" }, words.none));
    return [...parts, ...stacks(state.groups.flatMap((group) => group.notifications))];
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
      make("h2", {}, app ? app.name : state.front), make("p", {}, words.inFront),
      make("ul", {}, ...events.slice(-6).reverse().map((entry) => make("li", {},
        entry.text || entry.event, make("small", {}, entry.time.replace("T", " "))))))];
  }

  function draw() {
    if (!state) return;
    const layer = find("layer");
    const focused = document.activeElement;
    const isInside = find("screen").contains(focused);
    const isWriting = isInside && focused.tagName === "INPUT" && !nextFocus;
    // Who writes a reply must not lose it to a new notification, nor who touches a card the card.
    if (isPressed || isDragging) isOutdated = true;
    else if (!isWriting) {
      const key = nextFocus ?? (isInside ? focused.dataset.key : null);
      const hadFocus = isInside && (layer.contains(focused) || find("banner").contains(focused));
      const isApp = !state.isLocked && !listIsOpen && state.front;
      find("screen").classList.toggle("app-open", Boolean(isApp));
      layer.className = isApp ? "layer app" : "layer";
      layer.replaceChildren(...(state.isLocked ? lockScreen() : listIsOpen ? list() : state.front ? appScreen() : homeScreen()));
      find("banner").replaceChildren(...(state.banner && !state.isLocked ? [card(state.banner, { isBanner: true })] : []));
      if (key && (hadFocus || nextFocus)) {
        const again = find("screen").querySelector(`[data-key="${CSS.escape(key)}"]`);
        if (again) again.focus({ preventScroll: false });
        // What is gone leaves the focus where the next key press finds something.
        else if (hadFocus) (layer.querySelector(".notification .body") ?? find("home")).focus();
      }
      nextFocus = null;
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
        make("h2", {}, words.ask(app ? app.name : "")), make("p", {}, words.askText),
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
  onStroke(document.querySelector(".status"), 1, () => {
    if (!state || state.isLocked) return;
    listIsOpen = true;
    draw();
  });
  onStroke(find("home"), -1, () => find("home").click());
  find("screen").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !listIsOpen) return;
    listIsOpen = false;
    draw();
    find("status-time").focus();
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
