// swift-format-ignore-file

/// The style of all pages.
enum PageStyleSheet {
  static let text = #"""
:root {
  color-scheme: light dark;
  /* The margin of the content, which is at most 1560px wide. */
  --side: max(20px, calc(50% - 780px));
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}

* { box-sizing: border-box; }

body {
  margin: 0;
  background: var(--background);
  color: var(--text);
  overflow-wrap: break-word;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}

a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }

.skip { position: absolute; left: -100vw; }
.skip:focus { left: 8px; top: 8px; padding: 4px 8px; background: var(--background); }

header { border-bottom: 1px solid var(--line); background: var(--raised); padding: 10px var(--side); }
header p { margin: 0; }
main { padding: 8px var(--side) 60px; }

nav ul { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 0; padding: 0; list-style: none; }
nav [aria-current] { font-weight: 600; color: var(--text); text-decoration: none; }

h1 { font-size: 1.45rem; line-height: 1.25; margin: 16px 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 1.12rem; margin: 28px 0 8px; }
h3 { font-size: 1rem; margin: 20px 0 6px; }
.quiet { color: var(--quiet); }
.problem { color: var(--removed); }

code, pre, .mono { font-family: var(--mono); font-size: 0.88em; }
pre {
  background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
  padding: 10px 12px; overflow-x: auto; margin: 8px 0;
}
pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }

/* Wide tables scroll, and the page does not: nor by a hidden word, whose place is that of the table. */
.scroll {
  position: relative; overflow-x: auto; max-width: 100%;
  /* A shadow where there is more to the right. */
  background:
    linear-gradient(var(--background), var(--background)) right / 24px 100% no-repeat local,
    linear-gradient(to left, color-mix(in srgb, var(--quiet) 35%, transparent), transparent) right / 12px 100% no-repeat;
}
table { border-collapse: collapse; font-size: 0.93rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: 4px; }
th, td {
  text-align: left; vertical-align: top; padding: 4px 14px 4px 0;
  border-bottom: 1px solid var(--line);
}
th { font-weight: 600; white-space: nowrap; }
time { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
table.records td { max-width: 340px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
tbody tr:hover { background: var(--raised); }
th[aria-sort] a { color: inherit; }

form { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin: 8px 0; }
label { display: flex; flex-direction: column; min-width: 0; max-width: 100%; font-size: 0.85rem; color: var(--quiet); }
label.wide { flex: 1 1 260px; max-width: 720px; }
input, select, textarea {
  font: inherit; color: var(--text); background: var(--background);
  border: 1px solid var(--quiet); border-radius: 5px; padding: 0 8px; min-width: 0; max-width: 100%; height: 32px;
}
button {
  font: inherit; color: var(--accent-text); background: var(--accent);
  border: 1px solid var(--accent); border-radius: 5px; padding: 0 12px; height: 32px; cursor: pointer;
}
button.plain { color: var(--accent); background: transparent; }

.badge {
  display: inline-block; font-size: 0.78rem; line-height: 1.5; padding: 0 7px; border-radius: 10px;
  border: 1px solid var(--line); color: var(--quiet); white-space: nowrap;
}
.added { color: var(--added); }
.removed { color: var(--removed); }
.changed { color: var(--changed); }
ins, .added.filled { background: var(--added-background); color: var(--added); text-decoration: none; }
del, .removed.filled { background: var(--removed-background); color: var(--removed); text-decoration: none; }
.changed.filled { background: var(--changed-background); color: var(--changed); }
.covered { color: var(--quiet); font-style: italic; }

details.entry { border-bottom: 1px solid var(--line); padding: 4px 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.entry h2 { font-size: 1rem; margin: 12px 0 6px; }

dl { display: grid; grid-template-columns: minmax(110px, max-content) 1fr; gap: 4px 16px; margin: 8px 0; }
dt { color: var(--quiet); overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
dd ul { list-style: none; margin: 0; padding: 0; }
dd img { display: block; max-width: min(420px, 100%); max-height: 320px; border: 1px solid var(--line); }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(260px, 100%), 1fr)); gap: 12px; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; min-width: 0; }
.card h3 { margin: 0 0 4px; overflow-wrap: anywhere; }
.card table { width: 100%; }
.card th:last-child, .card td:last-child { padding-right: 0; }
.card tr:last-child td { border-bottom: 0; }

figure { margin: 8px 0; }
figcaption { color: var(--quiet); font-size: 0.88rem; }
svg { max-width: 100%; height: auto; }
svg text { fill: var(--text); }

@media (max-width: 640px) {
  :root { --side: 12px; }
  header { padding-block: 8px; }
  main { padding-block: 4px 40px; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 8px; }
}

@media print {
  header nav, form, .skip { display: none; }
  main { max-width: none; padding: 0; }
}

/* Reports and charts. */
:root { --bar: #3b7dc4; --bar-extra: #d98e04; }
@media (prefers-color-scheme: dark) { :root { --bar: #5b9be0; --bar-extra: #e0a94a; } }

.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.report { max-width: 1120px; margin: 0 auto; }
.badges { display: flex; flex-wrap: wrap; gap: 6px; margin: 4px 0 16px; }
footer { border-top: 1px solid var(--line); margin-top: 40px; font-size: 0.88rem; max-width: 80ch; }
section { scroll-margin-top: 8px; }
details { margin: 8px 0; }
summary { cursor: pointer; padding: 3px 0; }
figure summary { color: var(--quiet); font-size: 0.88rem; }

.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(140px, 100%), 1fr)); gap: 10px;
  margin: 0 0 16px; padding: 0; list-style: none;
}
.figures li { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; }
.figures strong { display: block; font-size: 1.5rem; line-height: 1.25; font-weight: 600; }
.figures span { color: var(--quiet); font-size: 0.88rem; }

.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(480px, 100%), 1fr)); gap: 8px 40px; }
.chart { min-width: 0; }
.chart figcaption { color: var(--text); font-size: 0.95rem; font-weight: 600; margin-bottom: 6px; }
.chart figcaption .quiet { display: block; font-weight: 400; font-size: 0.88em; }
.legend { margin: 0 0 6px; font-size: 0.85rem; color: var(--quiet); }
.legend .key { display: inline-block; width: 10px; height: 10px; margin: 0 5px 0 0; border-radius: 2px; background: var(--bar); }
.legend .key.extra { background: var(--bar-extra); margin-left: 16px; }

.bars { margin: 0; padding: 0; list-style: none; font-size: 0.9rem; }
.bars li {
  display: grid; grid-template-columns: minmax(90px, 40%) 1fr 66px 54px; gap: 0 10px;
  align-items: center; padding: 3px 0;
}
.bars .label { overflow-wrap: anywhere; line-height: 1.3; }
/* A long name shows its beginning, and is whole under the pointer and on paper. */
.bars .label bdi, .scroll td > bdi { display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; vertical-align: top; }
body:not(.console) .scroll td > bdi { width: max-content; max-width: 40ch; overflow-wrap: anywhere; }
.bars li:hover .label bdi { -webkit-line-clamp: unset; }
.bars .label .quiet { font-size: 0.85em; display: inline-block; }
.track { display: flex; height: 14px; background: var(--raised); border-radius: 3px; overflow: hidden; }
.track i, .meter i, .columns i { background: var(--bar); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.track i { min-width: 1px; }
.track i.extra { background: var(--bar-extra); }
.bars .value, .bars .share { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bars .share { color: var(--quiet); }

.plot { padding: 0 14px 0 40px; }
.area { position: relative; height: 150px; border-bottom: 1px solid var(--quiet); }
.area .line { position: absolute; left: 0; right: 0; border-top: 1px solid var(--line); height: 0; }
.area .line b {
  position: absolute; right: 100%; top: -0.75em; padding-right: 6px; font-weight: 400;
  font-size: 0.78rem; color: var(--quiet); font-variant-numeric: tabular-nums;
}
.columns { position: absolute; inset: 0; display: flex; }
.columns span { flex: 1 1 0; min-width: 0; display: flex; align-items: flex-end; justify-content: center; padding: 0 8%; padding: 0 min(2px, 8%); }
.columns span:hover { background: color-mix(in srgb, var(--bar) 15%, transparent); }
.columns i { flex: 0 1 48px; min-height: 2px; border-radius: 2px 2px 0 0; }
.ticks { position: relative; height: 1.5em; font-size: 0.78rem; color: var(--quiet); }
.ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap; }

.report td, .scroll td:not([colspan]) { overflow-wrap: break-word; max-width: 40ch; }
table.fields td { white-space: nowrap; }
table.fields th[scope="row"] { font-weight: 400; font-family: var(--mono); font-size: 0.88em; white-space: normal; overflow-wrap: break-word; max-width: 30ch; }
.meter { display: inline-block; width: 60px; height: 8px; background: var(--raised); border-radius: 4px; overflow: hidden; vertical-align: baseline; }
.meter i { display: block; height: 100%; }
details.type { border: 1px solid var(--line); border-radius: 8px; padding: 6px 14px; }

@media (max-width: 640px) {
  .bars li { grid-template-columns: 1fr auto 52px; }
  .bars .track { grid-row: 2; grid-column: 1 / -1; height: 8px; margin-bottom: 4px; }
  .ticks .minor { display: none; }
  /* Words below a row stay in view while the table scrolls. */
  .scroll td[colspan] > div { position: sticky; left: 0; width: calc(100vw - 48px); overflow-wrap: anywhere; }
  .plot { padding: 0 14px 0 34px; }
  details.type { padding: 4px 10px; }
}

@media print {
  .bars .label bdi, .scroll td > bdi { -webkit-line-clamp: unset; }
  .chart, .card, .figures li, tr { break-inside: avoid; }
  .track, .meter, .figures li { border: 1px solid #999; }
}

/* Differences. */
h2 .quiet { font-weight: 400; font-size: 0.85em; }
.scroll.report { margin: 0; max-width: 100%; }
ul.plain { margin: 8px 0; padding: 0; list-style: none; }
ul.plain li { padding: 2px 0; overflow-wrap: anywhere; }
table.changes { width: 100%; table-layout: fixed; margin: 4px 0; }
table.changes thead th { color: var(--quiet); font-weight: 400; font-size: 0.85em; }
table.changes th:first-child { width: 22%; }
table.changes tr.record th { background: var(--raised); padding: 5px 8px; white-space: normal; overflow-wrap: anywhere; font-weight: 400; }
table.changes tbody tr th[scope="row"] { font-weight: 400; white-space: normal; overflow-wrap: anywhere; padding-left: 8px; font-family: var(--mono); font-size: 0.85em; }
table.changes tr.system th, table.changes tr.system td { color: var(--quiet); }
table.changes td { white-space: pre-wrap; overflow-wrap: anywhere; }
table.changes tr:hover { background: none; }
table.changes tr.record:hover th { background: var(--raised); }
ins, del { border-radius: 3px; padding: 0 2px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.badge.filled { border-color: transparent; }

@media (max-width: 640px) {
  table.changes thead { display: none; }
  table.changes tbody, table.changes tr, table.changes tbody th, table.changes td { display: block; width: auto; }
  table.changes th:first-child { width: auto; }
  table.changes td, table.changes tbody tr th[scope="row"] { border: 0; padding: 1px 8px; }
  table.changes tbody tr { border-bottom: 1px solid var(--line); padding: 3px 0; }
  table.changes td:empty { display: none; }
}

/* Reports on schemas. */
.verdict { padding: 8px 14px; border-radius: 8px; }
section.reported { border-top: 1px solid var(--line); margin-top: 24px; }
section.reported h2 { margin-top: 16px; }
table.reported { width: 100%; }
table.reported th { width: 32%; }
table.reported td { width: 34%; }
table.reported th code { font-weight: 600; }
tr.finding td { padding-left: 22px; }
ul.findings { list-style: none; margin: 8px 0; padding: 0; }
.found { margin: 2px 0 6px; }
.found p { margin: 2px 0; }
.found a { font-size: 0.92em; }
.found details { font-size: 0.92em; }
.found details > * { margin-left: 14px; }
.found summary { margin-left: 0; color: var(--quiet); }

"""#
}
