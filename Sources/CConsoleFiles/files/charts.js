// Charts of the overview: each is drawn from the table beneath it, which has the same figures for everybody.
"use strict";

(() => {
  const charts = new Map();
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function read(kind, root) {
    const table = root.querySelector(`table[data-series="${kind}"]`);
    if (!table) return null;
    const names = [...table.querySelectorAll("thead th")].slice(1).map((cell) => cell.textContent);
    const rows = [...table.querySelectorAll("tbody tr")];
    return {
      names,
      times: rows.map((row) => new Date(row.querySelector("time").getAttribute("datetime"))),
      columns: names.map((_, index) => rows.map((row) => {
        const value = row.children[index + 1].dataset.value;
        return value === "" ? null : Number(value);
      })),
    };
  }

  function labels(times) {
    const language = document.documentElement.lang === "zh-Hans" ? "zh-CN" : "en-GB";
    const span = times.length > 1 ? times[1] - times[0] : 0;
    const format = new Intl.DateTimeFormat(language, span >= 86400000
      ? { month: "short", day: "numeric" }
      : span > 3600000
        ? { weekday: "short", hour: "2-digit", hourCycle: "h23" }
        : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return times.map((time) => format.format(time));
  }

  function datasets(kind, data) {
    const good = color("--chart-good");
    const bad = color("--chart-bad");
    const line = color("--chart-line");
    if (kind === "deliveries") {
      return [
        { type: "bar", label: data.names[0], data: data.columns[0], backgroundColor: good, stack: "sent", borderRadius: 3 },
        { type: "bar", label: data.names[1], data: data.columns[1], backgroundColor: bad, stack: "sent", borderRadius: 3 },
        {
          type: "line", label: data.names[2], data: data.columns[2], borderColor: line, backgroundColor: line,
          borderWidth: 2, pointRadius: 0, pointHitRadius: 12, tension: 0.3,
        },
      ];
    }
    if (kind === "events") {
      const palette = [good, line, bad, color("--muted"), color("--good"), color("--warn")];
      return data.names.map((name, index) => ({
        type: "bar", label: name, data: data.columns[index], backgroundColor: palette[index % palette.length],
        stack: "events", borderRadius: 3,
      }));
    }
    return data.names.map((name, index) => ({
      type: "line", label: name, data: data.columns[index],
      borderColor: index === 0 ? good : line, backgroundColor: index === 0 ? good : line,
      borderWidth: 2, borderDash: index === 0 ? [] : [5, 4], pointRadius: 2.5, spanGaps: true,
    }));
  }

  function draw(root) {
    for (const canvas of root.querySelectorAll("canvas[data-chart]")) {
      const kind = canvas.dataset.chart;
      const data = read(kind, root);
      if (!data) continue;
      charts.get(kind)?.destroy();
      const text = color("--muted");
      const grid = color("--border");
      charts.set(kind, new Chart(canvas, {
        data: { labels: labels(data.times), datasets: datasets(kind, data) },
        options: {
          animation: false, responsive: true, maintainAspectRatio: false,
          interaction: { mode: "index", intersect: false },
          scales: {
            x: {
              stacked: true, grid: { display: false },
              ticks: { color: text, maxRotation: 0, autoSkipPadding: 16, font: { size: 11 } },
            },
            y: {
              stacked: kind !== "latency", beginAtZero: true, grid: { color: grid, drawBorder: false },
              ticks: { color: text, precision: 0, maxTicksLimit: 6, font: { size: 11 } },
            },
          },
          plugins: {
            legend: { position: "bottom", labels: { color: text, usePointStyle: true, pointStyle: "circle", boxWidth: 7, boxHeight: 7, padding: 16 } },
          },
        },
      }));
    }
  }

  document.addEventListener("belfry:part", (event) => draw(event.detail));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(document));
  draw(document);
})();
