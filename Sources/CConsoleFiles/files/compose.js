// Writing a push: what does not apply is hidden, counts and findings follow the form, the preview follows the text.
"use strict";

(() => {
  const form = document.getElementById("compose");
  if (!form) return;

  // MARK: What applies

  function showParts() {
    for (const part of form.querySelectorAll("[data-when]")) {
      const [name, value] = part.dataset.when.split("=");
      const field = form.elements.namedItem(name);
      const actual = field instanceof RadioNodeList || field instanceof HTMLSelectElement ? field.value : "";
      part.hidden = actual !== value;
    }
  }

  // MARK: Rows that come and go

  let cloneCount = 0;
  function rename(root) {
    cloneCount += 1;
    for (const element of root.querySelectorAll("[id]")) {
      const id = element.id;
      const fresh = `${id}-${cloneCount}`;
      element.id = fresh;
      for (const label of root.querySelectorAll(`label[for="${id}"]`)) label.htmlFor = fresh;
    }
  }

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.clone) {
      event.preventDefault();
      const content = document.getElementById(button.dataset.clone).content.cloneNode(true);
      rename(content);
      const first = content.querySelector("input");
      document.getElementById(button.dataset.into).append(content);
      first?.focus();
      first?.select();
    } else if (button.dataset.remove) {
      button.closest(button.dataset.remove).remove();
      changed();
    } else if (button.dataset.preview) {
      for (const tab of form.querySelectorAll("[data-preview]")) {
        tab.setAttribute("aria-pressed", String(tab === button));
      }
      document.getElementById("phone").className = "phone " + button.dataset.preview;
    }
  });

  // MARK: Preview

  let shown = form.querySelector("[data-text]");
  function preview() {
    if (!shown || !shown.isConnected) shown = form.querySelector("[data-text]");
    for (const target of form.querySelectorAll("[data-preview-of]")) {
      const name = target.dataset.previewOf;
      if (!name) continue;
      const text = shown.querySelector(`[name="${name}"]`)?.value ?? "";
      if (target.dataset.fallback === undefined) target.dataset.fallback = target.textContent;
      if (name === "title") target.textContent = text || target.dataset.fallback;
      else target.textContent = text || target.dataset.empty || "";
      target.classList.toggle("is-empty", !text);
    }
  }
  form.addEventListener("focusin", (event) => {
    const text = event.target.closest("[data-text]");
    if (text && text !== shown) {
      shown = text;
      preview();
    }
  });

  // MARK: Counts and findings

  // Of several answers for one place only the newest is shown.
  const newest = new Map();
  async function ask(address, target) {
    const ticket = (newest.get(target) ?? 0) + 1;
    newest.set(target, ticket);
    target.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, {
        method: "POST", headers: { "X-Requested-With": "fetch" }, body: new URLSearchParams(new FormData(form)),
      });
      const html = await response.text();
      if (newest.get(target) === ticket) {
        window.Belfry.replace(target, html);
        if (target === check) showTimes();
        // An estimate comes with the address of the count, which takes longer.
        const rough = target.querySelector("[data-exact]");
        if (rough) ask(rough.dataset.exact, target);
      }
    } catch {
      // Offline: what is shown stays, and the next change asks again.
    } finally {
      if (newest.get(target) === ticket) target.removeAttribute("aria-busy");
    }
  }

  const check = document.getElementById("check");
  // Times stand where the time is chosen.
  function showTimes() {
    const times = check.querySelector("[data-times]");
    document.getElementById("times").replaceChildren(...(times ? [times] : []));
  }

  const panel = document.getElementById("audience-panel");
  let audienceText = null;
  function audienceState() {
    const data = new FormData(form);
    const names = ["audience", "channels", "match", "field", "comparison", "value", "where", "prod"];
    return JSON.stringify(names.map((name) => data.getAll(name)));
  }

  let timer;
  function changed() {
    showParts();
    preview();
    clearTimeout(timer);
    timer = setTimeout(() => {
      const hasText = [...form.querySelectorAll('[name="title"], [name="body"]')].some((field) => field.value);
      if (hasText || form.elements.namedItem("custom").value) ask(form.dataset.check, check);
      const state = audienceState();
      if (state !== audienceText) {
        audienceText = state;
        ask(form.dataset.audience, panel);
      }
    }, 350);
  }

  // The visitor's own zone is the best guess for times.
  for (const field of form.querySelectorAll("[data-own-zone]")) {
    if (field.value === "UTC") field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  }

  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  changed();
})();
