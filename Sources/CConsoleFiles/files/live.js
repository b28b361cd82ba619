// A push's page follows its push through a stream of events; without one it asks now and then.
"use strict";

(() => {
  const live = document.getElementById("live");
  const announcement = document.getElementById("live-announcement");
  if (!live || !live.dataset.stream) return;
  let lastState = live.querySelector(".badge")?.textContent;

  const source = new EventSource(live.dataset.stream);
  source.addEventListener("live", (event) => {
    window.Belfry.replace(live, event.data);
    const state = live.querySelector(".badge")?.textContent;
    if (state !== lastState) {
      lastState = state;
      // Screen readers are told of a new state, not of every count.
      announcement.textContent = state + ". " + (live.querySelector(".progress-text")?.textContent ?? "");
      const button = document.querySelector(".page-line form.inline");
      if (button) setTimeout(() => location.reload(), 600);
    }
  });
  window.addEventListener("pagehide", () => source.close());
})();
