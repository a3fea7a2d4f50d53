/// The style sheet of a page: light and dark, narrow and wide, and print.
enum PageStyle {
  /// The style sheet. Every pair of colours of text and ground has a contrast of at least 4.5 to 1.
  static let text: StaticString = """
    :root {
      color-scheme: light dark;
      --ground: light-dark(#ffffff, #14171c); --raised: light-dark(#f6f7f8, #1b2026);
      --ink: light-dark(#1b2026, #e7eaee); --soft: light-dark(#565f69, #a6b0bb);
      --line: light-dark(#e1e4e8, #2e353d); --strong: light-dark(#c3c9d0, #4a545f);
      --link: light-dark(#0a58a8, #83bdf7); --shade: light-dark(#eef4fb, #1a2836);
      --good: light-dark(#0b6b3f, #63d199); --warning: light-dark(#855000, #f0b64c);
      --bad: light-dark(#b3261e, #ff9389);
      font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%;
    }
    :root[data-theme="light"] { color-scheme: light; }
    :root[data-theme="dark"] { color-scheme: dark; }
    *, ::before, ::after { box-sizing: border-box; }
    [hidden] { display: none !important; }
    :root:not([data-script]) :is([data-part="controls"], [data-part="filter"]) { display: none; }
    body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
    table { overflow-wrap: normal; }
    h1, h2, h3, p, dl, dd, ul, figure { margin: 0; padding: 0; }
    h1, h2, h3, dt, td, th, caption, .answer p { unicode-bidi: plaintext; }
    h1 { font-size: clamp(1.7rem, 1.2rem + 2.4vw, 2.5rem); line-height: 1.15; letter-spacing: -0.02em; }
    h2 { font-size: 1.55rem; line-height: 1.25; letter-spacing: -0.01em; }
    h3 { font-size: 1.1rem; line-height: 1.35; }
    a { color: var(--link); text-underline-offset: 0.18em; }
    code { font: 0.92em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
    .plot:focus-visible, .scroll:focus-visible { outline-offset: -3px; border-radius: 8px; }
    main:focus { outline: none; }
    button, input { font: inherit; color: inherit; }

    .skip { position: absolute; left: -100vw; padding: 0.6rem 1rem; background: var(--ground); z-index: 3; }
    .skip:focus { left: 0.5rem; top: 0.5rem; }

    body { display: grid; grid-template-columns: minmax(0, 1fr); }
    main { padding: 2rem clamp(1rem, 3vw, 3.5rem) 6rem; max-width: 80rem; min-width: 0; }
    .side { padding: 1rem clamp(1rem, 3vw, 3.5rem); border-bottom: 1px solid var(--line); background: var(--raised);
      font-size: 0.92rem; }
    .side ul { list-style: none; }
    .side a { display: inline-block; padding: 0.18rem 0; color: var(--ink); text-decoration: none; max-width: 100%;
      overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; }
    .side a:hover { color: var(--link); text-decoration: underline; }
    .side ul ul { padding-left: 0.9rem; border-left: 1px solid var(--line); }
    .side ul ul a { color: var(--soft); }
    @media (max-width: 69.99rem) {
      .side { display: flex; flex-wrap: wrap; gap: 0.5rem 1.2rem; align-items: center; padding-block: 0.6rem; }
      .side > ul { display: flex; flex-wrap: wrap; gap: 0 1.2rem; }
      .side ul ul { display: none; }
      .side .controls { margin: 0; }
    }
    .controls { display: flex; gap: 0.5rem; margin-bottom: 0.8rem; }
    .controls button { border: 1px solid var(--strong); border-radius: 999px; background: var(--ground);
      padding: 0.2rem 0.85rem; cursor: pointer; font-size: 0.85rem; }
    .controls button[aria-pressed="true"] { background: var(--ink); color: var(--ground); }
    @media (min-width: 70rem) {
      body { grid-template-columns: 16rem minmax(0, 1fr); }
      .side { position: sticky; top: 0; height: 100vh; padding: 1.6rem 1.2rem; border-bottom: 0;
        border-right: 1px solid var(--line); overflow: auto; }
    }

    .answer { max-width: 68ch; margin: 0.6rem 0 1rem; }
    .answer p + p { margin-top: 0.35rem; }
    .lead p:first-child, .chapter > details > .answer p:first-child, .verdict .answer p:first-child {
      font-weight: 600; }
    .verdict .answer p + p { color: var(--soft); }
    .lead { font-size: 1.2rem; margin: 1.1rem 0 0; }
    .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 0.9rem 1.5rem;
      margin-top: 1.8rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
    .facts dt { color: var(--soft); font-size: 0.85rem; }
    .facts dd { font-variant-numeric: tabular-nums; }
    .hint { color: var(--soft); font-size: 0.92rem; margin: 0.4rem 0; }

    .part { margin-top: 3.2rem; }
    .part > h2 { margin-bottom: 0.6rem; }
    .report { margin-top: 2.2rem; }
    .chapter { border-top: 1px solid var(--line); padding-top: 1.4rem; }
    .chapter + .chapter { margin-top: 1.8rem; }
    summary { cursor: pointer; list-style-position: outside; }
    summary h2, summary h3 { display: inline; }
    .chapter > details > summary, .method > details > summary { display: flex; align-items: baseline; gap: 0.6rem;
      list-style: none; }
    .chapter > details > summary::-webkit-details-marker, .method > details > summary::-webkit-details-marker {
      display: none; }
    .chapter > details > summary::before, .method > details > summary::before { content: ""; flex: none;
      width: 0.5rem; height: 0.5rem; border: solid var(--soft); border-width: 0 2px 2px 0; rotate: -45deg;
      translate: 0 -0.15rem; }
    details[open] > summary::before { rotate: 45deg; }
    .report { content-visibility: auto; contain-intrinsic-size: auto 40rem; }
    .part > figure { content-visibility: auto; contain-intrinsic-size: auto 24rem; }

    .verdicts { display: grid; }
    .verdict { padding: 0.9rem 0; border-top: 1px solid var(--line); display: grid; gap: 0.1rem 1.5rem; }
    .verdict .answer { margin: 0; }
    @media (min-width: 48rem) { .verdict { grid-template-columns: 14rem minmax(0, 1fr); } }

    figure { margin: 1.2rem 0 1.6rem; }
    .plot { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; padding: 0.6rem;
      width: fit-content; max-width: 100%; }
    .plot svg { display: block; max-width: 100%; height: auto; min-width: 32rem; }
    .tip { position: fixed; top: 0; left: 0; z-index: 4; pointer-events: none; max-width: 22rem; white-space: pre-line;
      background: var(--ink); color: var(--ground); border-radius: 5px; padding: 0.3rem 0.6rem; font-size: 0.85rem; }

    .table { margin: 1.2rem 0 1.6rem; }
    .tools { display: flex; flex-wrap: wrap; gap: 0.4rem 1.4rem; align-items: center; font-size: 0.88rem;
      color: var(--soft); margin-bottom: 0.4rem; }
    .tools input[type="search"] { border: 1px solid var(--strong); border-radius: 5px; background: var(--ground);
      color: var(--ink); padding: 0.15rem 0.5rem; width: 12rem; max-width: 60vw; }
    .scroll { overflow-x: auto; }
    .long { max-height: 32rem; overflow-y: auto; border-bottom: 1px solid var(--line); }
    .long thead th { position: sticky; top: 0; background: var(--ground); box-shadow: 0 1px var(--strong); }
    table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
    caption { text-align: start; padding: 0 0 0.35rem; color: var(--soft); }
    caption strong { color: var(--ink); font-weight: 600; }
    .common::before { content: " · "; }
    th, td { padding: 0.32rem 0.8rem 0.32rem 0; white-space: nowrap; text-align: start; vertical-align: baseline; }
    tbody th, tbody td { border-top: 1px solid var(--line); }
    tbody tr:hover > * { background: var(--shade); }
    tbody th { font-weight: 500; }
    thead th { border-bottom: 1px solid var(--strong); vertical-align: bottom; padding-bottom: 0.2rem;
      white-space: normal; }
    .option { white-space: nowrap; }
    thead button { all: unset; cursor: pointer; color: var(--soft); font-weight: 500; font-size: 0.88em;
      }
    thead button:hover { color: var(--link); }
    thead button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
    thead [aria-sort] button { color: var(--ink); }
    [aria-sort="ascending"] button::after { content: " ↑"; }
    [aria-sort="descending"] button::after { content: " ↓"; }
    .n { text-align: end; }
    .s, .l { min-width: 13rem; white-space: normal; overflow-wrap: anywhere; }
    .x { display: none; }
    .table:has(.wide input:checked) .x { display: table-cell; }
    abbr { text-decoration: underline dotted; cursor: help; }
    .tone { white-space: nowrap; font-weight: 600; }
    .tone::before { font-size: 0.8em; margin-inline-end: 0.4em; }
    .good { color: var(--good); } .good::before { content: "●"; }
    .warning { color: var(--warning); } .warning::before { content: "▲"; }
    .bad { color: var(--bad); } .bad::before { content: "■"; }
    .notes { font-size: 0.88rem; color: var(--soft); margin: 0.4rem 0; max-width: 90ch; }
    .notes div { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 0 1rem; padding: 0.1rem 0; }
    .notes dt { color: var(--ink); }
    .more { margin-top: 0.6rem; }
    .more .table { margin-top: 0.6rem; }
    .more summary { list-style-position: inside; color: var(--soft); font-size: 0.88rem; width: fit-content; }
    @media (max-width: 40rem) { .notes div { grid-template-columns: minmax(0, 1fr); } }

    .method > details { border-top: 1px solid var(--line); padding: 0.55rem 0; }
    .definitions { margin: 0.6rem 0 0.8rem; display: grid; gap: 0.15rem 1.5rem; font-size: 0.95rem; }
    .definitions dt { color: var(--soft); }
    .definitions dd { margin-bottom: 0.5rem; }
    .source { display: block; color: var(--soft); font-size: 0.88rem; }
    @media (min-width: 48rem) { .definitions { grid-template-columns: minmax(10rem, 16rem) minmax(0, 1fr); } }

    @page { margin: 16mm 14mm; }
    @media print {
      :root { color-scheme: light !important; font-size: 10pt; }
      body { display: block; }
      .side, .skip, .tools, .tip { display: none !important; }
      main { max-width: none; padding: 0; }
      details:not(.more)::details-content { content-visibility: visible; display: block; height: auto; }
      .report, .part > figure { content-visibility: visible; }
      summary::before { display: none; }
      .chapter { break-before: page; border-top: 0; padding-top: 0; }
      .method { break-before: page; }
      h1, h2, h3, caption, summary { break-after: avoid; }
      figure, tr, .verdict { break-inside: avoid; }
      .plot { border: 0; padding: 0; }
      .plot svg { min-width: 0; }
      .scroll, .plot { overflow: visible; max-height: none; }
      .long thead th { position: static; box-shadow: none; }
      table { font-size: 8.5pt; }
      thead { display: table-header-group; }
      tbody tr:hover > * { background: none; }
      a { color: inherit; text-decoration: none; }
    }
    """
}
