// swift-format-ignore-file

import RecordPages

/// The style of the console, after that of all pages.
enum ConsoleStyleSheet {
  static let html = HTML(markup: text)

  private static let text = #"""

/* The shell: a bar, the views at the side, and the content. */
body.console {
  font-size: 14px; display: grid; grid-template: auto 1fr / 204px minmax(0, 1fr); min-height: 100vh;
}
.console > header {
  grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px;
  padding: 9px 20px; background: var(--background); min-width: 0;
}
.place { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; min-width: 0; }
.place > * { overflow-wrap: anywhere; min-width: 0; }
.place strong { font-size: 1.05rem; }
.place .badge.production { color: var(--changed); background: var(--changed-background); border-color: transparent; }
.console > header form { margin: 0 0 0 auto; flex-wrap: nowrap; gap: 6px; }
.console > header form input { width: 250px; }
.console > nav {
  background: var(--raised); border-right: 1px solid var(--line); padding: 14px 10px; min-width: 0;
}
.console > nav p { margin: 14px 10px 4px; font-size: 0.75rem; font-weight: 600; color: var(--quiet); letter-spacing: 0.03em; }
.console > nav p:first-child { margin-top: 2px; }
.console > nav ul { flex-direction: column; flex-wrap: nowrap; gap: 1px; }
.console > nav a { display: flex; justify-content: space-between; gap: 8px; padding: 5px 10px; border-radius: 6px; color: var(--text); text-decoration: none; }
.console > nav a:hover { background: var(--line); }
.console > nav [aria-current] { background: var(--accent-background); color: var(--accent); }
.console main { padding: 18px 28px 64px; max-width: 1640px; min-width: 0; width: 100%; overflow-wrap: anywhere; }

/* The head of a view. */
.title { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 20px; margin: 0 0 16px; min-height: 34px; }
.title > div:first-child { flex: 1 1 300px; min-width: 0; }
.title h1 { margin: 0; font-size: 1.5rem; letter-spacing: -0.01em; }
.title h1.long { font-size: 1rem; letter-spacing: 0; line-height: 1.35; }
.title .actions, p.buttons { margin: 0; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.trail { margin: 0 0 2px; color: var(--quiet); font-size: 0.93em; }
.trail a { color: inherit; }
.trail a:hover { color: var(--accent); }
.console h2 { font-size: 1.02rem; margin: 26px 0 8px; }
.console h3 { font-size: 0.95rem; margin: 16px 0 6px; }
.console .figures { grid-template-columns: repeat(auto-fill, minmax(min(150px, 100%), 1fr)); max-width: 1000px; margin: 0 0 18px; }
.console .figures li { background: none; padding: 9px 14px; min-width: 0; }
form + p[hidden] + div > .figures { margin-top: 14px; }
.console .figures strong { font-size: 1.45rem; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

/* Results of actions. */
.notice, .console p.problem {
  margin: 0 0 14px; padding: 8px 14px; border-radius: 6px; border-left: 3px solid var(--accent);
  background: var(--raised); max-width: 1000px; overflow-wrap: anywhere;
}
.notice form, li > form { display: inline-flex; margin: 0 0 0 8px; }
.notice.done { border-color: var(--added); background: var(--added-background); color: var(--added); }
.notice.failed, .console p.problem { border-color: var(--removed); background: var(--removed-background); color: var(--removed); }
p.problem[hidden] { display: none; }
.empty { border: 1px dashed var(--line); border-radius: 8px; padding: 22px 18px; color: var(--quiet); margin: 8px 0; max-width: 1000px; }

/* Tables have a frame, and scroll in it. */
.console .scroll { border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; }
.console .scroll table { width: 100%; font-size: 0.96em; }
.console .scroll th, .console .scroll td { padding: 6px 14px; }
.console .scroll thead th { font-size: 0.86em; color: var(--quiet); background: var(--raised); vertical-align: bottom; }
.console .scroll thead th a { color: inherit; text-decoration: none; }
.console .scroll thead th a:hover, .console .scroll th[aria-sort] a { color: var(--accent); }
.console .scroll tbody tr:last-child :is(th, td) { border-bottom: 0; }
/* Words stay whole; a name breaks anywhere, and a long one shows its beginning. */
.console .scroll td, .console .scroll th { overflow-wrap: normal; max-width: none; }
.console .scroll td bdi, .console .scroll td code { overflow-wrap: anywhere; }
.console .scroll td:has(bdi:not(:where(:empty))), .console .scroll td:has(code) { min-width: 190px; }
.console .scroll td.whole { white-space: nowrap; }
.console .scroll table.changes :is(th, td) { overflow-wrap: anywhere; }
.console .scroll td bdi + bdi { display: block; font-size: 0.92em; }
.console .scroll td bdi, .card bdi, .chips bdi, .trail bdi, h1.long bdi {
  display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; vertical-align: top;
  text-decoration: inherit;
}
.console .scroll td.sentence bdi { display: inline; font-size: inherit; }
.console .scroll td.links { text-align: right; }
.console .scroll td.links a { white-space: nowrap; }
.console .scroll td.links a + a, td .button + .button { margin-left: 14px; }
.console .scroll td form button { height: 28px; padding: 0 10px; }
.console .scroll tr:has(+ tr.more) > td { border-bottom: 0; padding-bottom: 0; }
.console .scroll tr.more > td { padding-top: 0; }
.console .scroll tr.more details { margin: 0; contain: inline-size; }
.console .scroll tr.more summary { color: var(--quiet); font-size: 0.93em; width: max-content; }
.console .scroll tr.more:hover, .console .scroll tbody tr:has(+ tr.more):hover { background: none; }
.console .scroll table.records td { vertical-align: middle; max-width: 300px; min-width: 0; overflow-wrap: normal; }
.console .scroll table.records td bdi { display: inline; overflow-wrap: normal; }
.console .scroll table.records th { max-width: 300px; overflow: hidden; text-overflow: ellipsis; }
/* The names stay in view while the table scrolls. */
.console table.records :is(th, td):first-child { position: sticky; left: 0; z-index: 1; background: var(--background); box-shadow: 1px 0 var(--line); }
.console table.records thead th:first-child, .console table.records tbody tr:hover td:first-child { background: var(--raised); }
.console td a:focus-visible { outline-offset: -2px; }
.console table.records td a, .console td > a { text-decoration: none; }
.console table.records td a:hover, .console td > a:hover { text-decoration: underline; }
td img.thumbnail { display: block; width: 30px; height: 30px; margin: -4px 0; object-fit: cover; border-radius: 4px; background: var(--raised); }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(170px, 45%), 1fr)); gap: 12px; margin: 8px 0; padding: 0; list-style: none; }
.gallery li { min-width: 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.gallery img { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: contain; background: var(--raised); }
.gallery a { display: block; padding: 6px 10px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.gallery a.picture { padding: 0; }
nav.pages { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; margin: 10px 0; }

/* Tabs are links. */
nav.tabs { border-bottom: 1px solid var(--line); margin: 0 0 12px; overflow-x: auto; }
nav.tabs ul { flex-wrap: nowrap; gap: 2px; }
nav.tabs a { display: block; padding: 6px 12px; color: var(--quiet); text-decoration: none; white-space: nowrap; border-bottom: 2px solid transparent; max-width: 320px; overflow: hidden; text-overflow: ellipsis; }
nav.tabs a:hover { color: var(--text); }
nav.tabs [aria-current] { color: var(--accent); border-color: var(--accent); }

/* Forms. */
.console input, .console select, .console textarea { border-color: var(--edge); border-radius: 6px; background: var(--background); }
.console textarea { height: auto; min-height: 34px; padding: 6px 8px; resize: vertical; width: 100%; }
.console input[type="checkbox"], .console input[type="radio"] { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
.console input[type="file"] { border: 0; padding: 4px 0; height: auto; max-width: 100%; }
.console label { gap: 3px; min-width: 0; max-width: 100%; }
.console label.check, .columns-choice label { flex-direction: row; align-items: center; gap: 7px; color: var(--text); }
.console button, a.button {
  display: inline-flex; gap: 0.3em; align-items: center; justify-content: center; font: inherit; font-weight: 500; height: 32px; padding: 0 13px; border-radius: 6px;
  text-decoration: none; white-space: nowrap; color: var(--accent-text); background: var(--accent); border: 1px solid var(--accent);
}
.console button.plain, a.button.plain { color: var(--text); background: var(--background); border-color: var(--edge); }
.console button.danger, a.button.danger { color: var(--removed); background: var(--background); border-color: var(--removed); }
.console button:hover, a.button:hover { filter: brightness(0.95); }
.console button.link { height: auto; padding: 0; border: 0; background: none; color: var(--accent); }
td form, li > form, p > form { margin: 0; display: inline-flex; }
form.record { display: block; max-width: 1000px; margin: 16px 0 0; }
.offers {
  position: absolute; z-index: 3; margin: 2px 0 0; padding: 4px 0; max-width: min(560px, calc(100vw - 40px)); max-height: 260px; overflow: auto;
  list-style: none; background: var(--background); border: 1px solid var(--edge); border-radius: 6px; box-shadow: 0 4px 14px rgb(0 0 0 / 0.2);
}
.offers[hidden] { display: none; }
.offers li { padding: 5px 12px; cursor: default; overflow-wrap: anywhere; }
.offers li:hover, .offers [aria-selected] { background: var(--accent-background); color: var(--accent); }
fieldset { border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px 12px; margin: 0 0 12px; min-width: 0; }
fieldset > legend { font-weight: 600; padding: 0 6px; overflow-wrap: anywhere; max-width: 100%; }
/* A field of a record: its name at the side, its inputs beside it. */
div.inputs { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; min-width: 0; }
fieldset.field { display: flow-root; border: 0; border-top: 1px solid var(--line); border-radius: 0; margin: 0; padding: 10px 0; }
fieldset.field > legend { float: left; width: 230px; padding: 5px 16px 0 0; }
fieldset.field > legend .quiet { display: block; font-weight: 400; font-size: 0.82em; }
fieldset.field > .inputs { margin-left: 230px; }
fieldset.field .inputs > p { margin: 0; flex: 1 0 100%; }
fieldset.field .inputs > textarea { flex: 1 1 300px; width: auto; }
fieldset.field .inputs > ul { flex: 1 0 100%; }
fieldset.field .inputs > label.wide { flex: 1 1 300px; }
fieldset.field label { flex: 0 1 auto; }
fieldset.field input:not([type="checkbox"], [type="file"]) { width: 190px; max-width: 100%; }
fieldset.field input[type="datetime-local"] { width: 260px; }
fieldset[data-invalid] { box-shadow: -3px 0 var(--background), -6px 0 var(--removed); }
fieldset[data-invalid] [aria-invalid] { border-color: var(--removed); }
fieldset.field .problem { padding: 4px 10px; }
details.field { border-top: 1px solid var(--line); padding: 10px 0; margin: 0; }
form.record > p.buttons {
  position: sticky; bottom: 0; background: var(--background); border-top: 1px solid var(--line); padding: 12px 0; margin: 0; z-index: 2;
}
ul.items { list-style: none; margin: 0; padding: 0; width: 100%; }
li.item { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; padding: 6px 0; border-bottom: 1px solid var(--line); }
li.item > textarea { flex: 1 1 240px; width: auto; }
p.buttons { margin: 14px 0; }

/* Cards, values and requests. */
.console .cards { grid-template-columns: repeat(auto-fill, minmax(min(330px, 100%), 1fr)); gap: 14px; align-items: start; }
.console .card { padding: 12px 16px; }
.console .card h3 { font-size: 1rem; margin: 0 0 6px; }
.card h3 a { color: inherit; text-decoration: none; }
.card h3 a:hover { color: var(--accent); text-decoration: underline; }
.chips { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: baseline; margin: 12px 0; }
.chips ul { display: contents; list-style: none; }
.chips li { border: 1px solid var(--line); border-radius: 6px; padding: 2px 10px; max-width: 100%; }
.chips a { text-decoration: none; }
.card h3 .quiet { display: block; font-weight: 400; font-size: 0.82em; }
.card table { font-size: 0.96em; }
.card td, .card th { padding: 4px 0 4px 14px; }
.card td:first-child, .card th:first-child { padding-left: 0; overflow-wrap: anywhere; width: 99%; }
.card th { color: var(--quiet); font-weight: 400; font-size: 0.88em; }
.console dl { border: 1px solid var(--line); border-radius: 8px; grid-template-columns: minmax(130px, 300px) minmax(0, 1fr); gap: 0; }
.console dt, .console dd { padding: 7px 14px; border-bottom: 1px solid var(--line); }
.console dt { background: var(--raised); color: var(--text); display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; align-items: baseline; align-content: flex-start; }
.console dt:last-of-type, .console dd:last-child, li.item.new { border-bottom: 0; }
.console dt:first-child { border-top-left-radius: 8px; }
.console dt:last-of-type { border-bottom-left-radius: 8px; }
.console dt .quiet { font-size: 0.82em; }
.console pre { max-height: 70vh; overflow: auto; }
details.entry { border: 1px solid var(--line); border-radius: 8px; padding: 0 14px; margin: 0 0 6px; }
details.entry > summary { padding: 7px 0; display: flex; gap: 8px; }
details.entry > summary::before { content: "▸"; color: var(--quiet); flex: none; width: 0.8em; }
details.entry[open] > summary::before { content: "▾"; }
details.entry > summary::-webkit-details-marker { display: none; }
.line { display: flex; flex-wrap: wrap; gap: 2px 9px; align-items: baseline; flex: 1; min-width: 0; }
.line > * { min-width: 0; }
.line .end { margin-left: auto; font-variant-numeric: tabular-nums; }
.line bdi, details.entry > summary bdi, .console main > p bdi { display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; vertical-align: top; }
details.entry form { margin: 4px 0 8px; }
details.entry[open] { padding-bottom: 8px; }
details.menu { position: relative; margin: 0; }
details.menu > summary { list-style: none; display: inline-flex; align-items: center; height: 32px; padding: 0 13px; border: 1px solid var(--edge); border-radius: 6px; font-weight: 500; }
details.menu > summary::-webkit-details-marker { display: none; }
details.menu > div { padding: 12px 14px; margin: 8px 0; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: start; max-width: 100%; margin: 0 0 10px; }
.row > a:not(.button) { line-height: 32px; }
.row > p { margin: 0; flex: 1 1 auto; }
.row > nav.pages { margin: 0; }
.row form { margin: 0; }
.columns-choice { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(200px, 100%), 1fr)); gap: 6px 14px; margin: 0 0 10px; }
.columns-choice label { overflow-wrap: anywhere; }
.dot { display: inline-block; flex: none; width: 8px; height: 8px; border-radius: 50%; background: var(--added); }
.dot.failed { background: var(--removed); }
p.matches { margin: 0 0 6px; color: var(--quiet); }
p.matches strong { font-size: 1.45rem; font-weight: 650; color: var(--text); font-variant-numeric: tabular-nums; }

@media (max-width: 860px) {
  body.console { grid-template: auto auto 1fr / minmax(0, 1fr); }
  .console > header { padding: 8px 14px; }
  .console > header form { flex: 1 1 220px; margin: 0; }
  .console > header form label { flex: 1; }
  .console > header form input { width: 100%; }
  /* Links that do not fit fade out at the end. */
  .console > nav {
    border: 0; border-bottom: 1px solid var(--line); padding: 6px 40px 6px 8px; display: flex; gap: 1px; overflow-x: auto; scrollbar-width: none; scroll-padding: 0 48px;
    -webkit-mask-image: linear-gradient(to right, black calc(100% - 40px), transparent); mask-image: linear-gradient(to right, black calc(100% - 40px), transparent);
  }
  .console > nav p { display: none; }
  .console > nav ul { flex-direction: row; }
  .console > nav a { white-space: nowrap; }
  .console main { padding: 14px 14px 48px; }
  .console .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
  .console .figures:has(> :nth-child(3):last-child) { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .console .figures li { padding: 7px 10px; }
  .console .figures strong { font-size: 1.15rem; }
  .console .scroll td:has(bdi:not(:where(:empty))), .console .scroll td:has(code) { min-width: 120px; }
  .console .scroll th, .console .scroll td { padding-inline: 10px; }
  .console .scroll table.records td:first-child { max-width: 190px; }
  fieldset.field > legend { width: 100%; padding: 0 0 4px; }
  fieldset.field > legend .quiet { display: inline; margin-left: 6px; }
  fieldset.field > .inputs { clear: both; margin-left: 0; }
  .console main label.wide { flex-basis: 100%; }
  .console main form[role="search"] label:not(.wide) { flex: 1 1 96px; }
  .console main form[role="search"] label:has([name="limit"]) { flex: 0 1 60px; }
  .console main form[role="search"] select { width: 100%; }
  .console dl { grid-template-columns: minmax(0, 1fr); }
  .console dt { border-bottom: 0; padding-bottom: 1px; background: none; color: var(--quiet); }
  .console dd { margin: 0; padding-top: 0; }
}

"""#
}
