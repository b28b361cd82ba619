// What every page of the console does beyond its HTML: times in the reader's zone, parts that are fetched,
// questions before what cannot be undone, files that are dropped.
"use strict";

(() => {
  const language = document.documentElement.lang === "zh-Hans" ? "zh-CN" : "en-GB";
  const timeFormat = new Intl.DateTimeFormat(language, {
    year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  });
  const longFormat = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" });

  function localizeTimes(root) {
    for (const element of root.querySelectorAll("time[datetime]:not([data-plain])")) {
      const date = new Date(element.getAttribute("datetime"));
      if (Number.isNaN(date.getTime())) continue;
      element.textContent = timeFormat.format(date);
      element.title = longFormat.format(date);
      element.dataset.plain = "1";
    }
  }

  function prepare(root) {
    localizeTimes(root);
    document.dispatchEvent(new CustomEvent("belfry:part", { detail: root }));
  }

  // The server escapes whatever stands in its parts of pages.
  function replace(element, html) {
    const open = [...element.querySelectorAll("details")].map((details) => details.open);
    element.innerHTML = html;
    element.querySelectorAll("details").forEach((details, index) => {
      if (open[index]) details.open = true;
    });
    prepare(element);
  }

  async function load(element, address) {
    try {
      const response = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
      if (response.status === 401) return;
      replace(element, await response.text());
      element.classList.remove("loading");
      // An estimate comes with the address of the count, which takes longer.
      const rough = element.querySelector("[data-exact]");
      if (!rough) return;
      element.setAttribute("aria-busy", "true");
      await load(element, rough.dataset.exact);
      element.removeAttribute("aria-busy");
    } catch {
      element.classList.add("stale");
    }
  }

  function loadParts(root) {
    for (const element of root.querySelectorAll("[data-load]")) {
      load(element, element.dataset.load);
      delete element.dataset.load;
    }
    for (const row of root.querySelectorAll("tr[data-row]")) loadRow(row);
  }

  async function loadRow(row) {
    const address = row.dataset.row;
    delete row.dataset.row;
    try {
      const response = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
      if (!response.ok) return;
      const holder = document.createElement("tbody");
      holder.innerHTML = await response.text();
      const fresh = holder.querySelector("tr");
      if (!fresh) return;
      localizeTimes(holder);
      row.replaceWith(fresh);
    } catch {
      // The row keeps its dashes.
    }
  }

  function refreshParts() {
    for (const element of document.querySelectorAll("[data-refresh]")) {
      const seconds = Number(element.dataset.seconds) || 15;
      setInterval(() => {
        // Nobody looks, or somebody is reading inside: later.
        if (document.hidden || element.contains(document.activeElement)) return;
        load(element, element.dataset.refresh);
      }, seconds * 1000);
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) {
      event.preventDefault();
      return;
    }
    // A second press must not send a second time; the first one goes on.
    const submitter = event.submitter;
    if (submitter) {
      setTimeout(() => {
        submitter.disabled = true;
        submitter.dataset.pressed = "1";
      }, 0);
    }
  });
  // Who comes back to a page with the browser's back button can press again.
  window.addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("button[data-pressed]")) button.disabled = false;
  });

  // Menus close when something else is used.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.switch[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.switch[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // A file that is dropped or chosen becomes the text of the field it belongs to.
  for (const zone of document.querySelectorAll("[data-drop]")) {
    const field = document.getElementById(zone.dataset.drop);
    const name = zone.dataset.dropName ? document.getElementById(zone.dataset.dropName) : null;
    const input = zone.querySelector("input[type=file]");
    const said = zone.querySelector("[data-drop-said]");
    const take = async (file) => {
      if (!file || file.size > 64 * 1024) return;
      const bytes = new Uint8Array(await file.arrayBuffer());
      const isText = bytes.every((byte) => byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
      field.value = isText
        ? new TextDecoder().decode(bytes)
        : "base64:" + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      if (said) said.textContent = file.name;
      const match = /AuthKey_([A-Za-z0-9]{10})\.p8$/.exec(file.name);
      if (match && name) name.value = match[1];
      zone.classList.add("filled");
    };
    input.addEventListener("change", () => take(input.files[0]));
    for (const type of ["dragover", "dragenter"]) {
      zone.addEventListener(type, (event) => {
        event.preventDefault();
        zone.classList.add("over");
      });
    }
    for (const type of ["dragleave", "drop"]) zone.addEventListener(type, () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    });
  }

  // Where places stand in one row that scrolls, the present one is seen.
  const places = document.querySelector(".places");
  const here = places?.querySelector("[aria-current]");
  if (here && places.scrollWidth > places.clientWidth) {
    places.scrollLeft = here.getBoundingClientRect().left - places.getBoundingClientRect().left - 16;
  }

  window.Belfry = { replace, load, prepare };
  prepare(document);
  loadParts(document);
  refreshParts();
})();
