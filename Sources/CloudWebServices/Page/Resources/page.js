// Shows changes as they come. Without it, the page shows what was there when it was loaded.
"use strict";

const live = document.getElementById("live");
const state = document.getElementById("live-state");
const pause = 1000;
let last = live === null ? "" : live.innerHTML;

function isInUse() {
  const selection = document.getSelection();
  return live.contains(document.activeElement) ||
    (selection !== null && !selection.isCollapsed && live.contains(selection.anchorNode));
}

function tell(text) {
  if (state === null) return;
  state.hidden = text === "";
  if (state.textContent !== text) state.textContent = text;
}

async function update() {
  if (document.hidden || isInUse()) return;
  let response;
  try {
    response = await fetch(location.href, { headers: { Accept: "text/html" } });
  } catch {
    tell("The server does not answer.");
    return;
  }
  if (!response.ok) {
    tell("The server answers with status " + response.status + ".");
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = page.getElementById("live");
  tell("");
  if (next === null || next.innerHTML === last || isInUse()) return;
  last = next.innerHTML;
  const open = [...live.querySelectorAll("details[open][id]")].map((details) => details.id);
  const scrolled = [...live.querySelectorAll(".scroll")].map((element) => element.scrollLeft);
  live.replaceChildren(...next.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  [...live.querySelectorAll(".scroll")].forEach((element, index) => {
    element.scrollLeft = scrolled[index] ?? 0;
  });
}

async function run() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    await update();
  }
}

if (live !== null) run();
