"use strict";
(() => {
  const all = (selector, root) => [...(root || document).querySelectorAll(selector)];
  const part = (name) => document.querySelector(`[data-part="${name}"]`);

  document.documentElement.dataset.script = "";

  // Theme: that of the system until the button chooses the other one; nothing is remembered.
  const theme = part("theme"), system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const showTheme = () => theme.setAttribute("aria-pressed", isDark());
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  system.addEventListener("change", showTheme);
  showTheme();

  // Chapters: those that are closed become elements when they open, when they are printed or linked to, and else
  // when there is time, so that find-in-page sees them.
  const chapters = all('[data-part="chapter"]'), openAll = part("open-all");
  const fill = (chapter) => {
    const text = chapter.querySelector(":scope > noscript");
    if (text) text.outerHTML = text.textContent;
    return text;
  };
  const fillAll = () => chapters.forEach(fill);
  const later = window.requestIdleCallback || setTimeout;
  const fillNext = () => { if (chapters.some(fill)) later(fillNext); };
  addEventListener("load", () => later(fillNext));
  document.addEventListener("toggle", (event) => fill(event.target), true);
  const showTarget = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (!id) return;
    if (!document.getElementById(id)) fillAll();
    const target = document.getElementById(id), chapter = target && target.closest("details");
    if (!target) return;
    if (chapter) {
      fill(chapter);
      chapter.open = true;
    }
    const scroll = () => target.scrollIntoView();
    scroll();
    // Again when what is above it has been laid out.
    requestAnimationFrame(() => requestAnimationFrame(scroll));
  };
  addEventListener("hashchange", showTarget);
  all('a[href^="#"]').forEach((link) => link.addEventListener("click", () => setTimeout(showTarget)));
  showTarget();
  if (openAll) openAll.addEventListener("click", () => {
    const open = chapters.some((chapter) => !chapter.open);
    chapters.forEach((chapter) => { chapter.open = open; });
    openAll.textContent = open ? "Close all" : "Open all";
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    fillAll();
    closed = all("details:not([open]):not(.more)");
    closed.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((details) => { details.open = false; }));

  // Tables: a heading sorts, first up and then down; empty cells stay last.
  const compareTexts = new Intl.Collator("en", { numeric: true }).compare;
  const numberOf = (cell) => Number(cell.dataset.v || cell.textContent);
  const sort = (heading) => {
    const column = heading.cellIndex, isNumber = heading.classList.contains("n");
    const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    const body = heading.closest("table").tBodies[0];
    const rows = [...body.rows].map((row) => {
      const cell = row.cells[column];
      return { row, isEmpty: cell.textContent === "–", key: isNumber ? numberOf(cell) : cell.textContent };
    });
    rows.sort((a, b) => a.isEmpty || b.isEmpty ? a.isEmpty - b.isEmpty
      : sign * (isNumber ? a.key - b.key : compareTexts(a.key, b.key)));
    body.append(...rows.map((entry) => entry.row));
    all("[aria-sort]", heading.parentNode).forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  };
  const filter = (box) => {
    const words = box.querySelector('input[type="search"]').value.toLowerCase().split(/\s+/);
    const rows = [...box.querySelector("table").tBodies[0].rows];
    rows.forEach((row) => {
      const text = [...row.cells].map((cell) => cell.textContent).join("\n").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    });
    const shown = rows.filter((row) => !row.hidden).length;
    box.querySelector(".count").textContent = shown < rows.length ? `${shown} of ${rows.length} rows` : "";
  };
  document.addEventListener("click", (event) => {
    const heading = event.target.closest("thead th");
    if (heading && event.target.closest("button")) sort(heading);
  });
  document.addEventListener("input", (event) => {
    if (event.target.type === "search") filter(event.target.closest('[data-part="table"]'));
  });

  // Plots: the title of the mark nearest to the pointer, at once; without the one that the browser shows later.
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);
  const reach = 30, values = new WeakMap();
  const marksOf = (plot) => {
    if (!values.has(plot)) {
      const drawing = plot.querySelector("svg"), own = drawing.querySelector(":scope > title");
      if (own) {
        drawing.setAttribute("aria-label", own.textContent);
        drawing.removeAttribute("aria-labelledby");
        own.remove();
      }
      values.set(plot, all("title", drawing).map((title) => {
        const mark = title.parentNode, text = title.textContent;
        title.remove();
        return { mark, text };
      }));
    }
    return values.get(plot);
  };
  const distance = (box, x, y) => Math.hypot(
    Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  const show = (event) => {
    const plot = event.target.closest && event.target.closest('[data-part="plot"]');
    let best = null, least = reach, middle = Infinity;
    for (const entry of plot ? marksOf(plot) : []) {
      const box = entry.mark.getBoundingClientRect(), x = event.clientX, y = event.clientY;
      const far = distance(box, x, y);
      const off = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
      if (far < least || far === least && off < middle) [best, least, middle] = [entry, far, off];
    }
    tip.hidden = !best;
    if (!best) return;
    tip.textContent = best.text;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const top = Math.min(event.clientY + 18, innerHeight - tip.offsetHeight - 8);
    tip.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
  };
  const hide = () => { tip.hidden = true; };
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
  document.addEventListener("scroll", hide, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
