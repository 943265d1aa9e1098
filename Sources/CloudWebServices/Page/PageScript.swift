// swift-format-ignore-file

/// The script of the served pages, which also work without it.
enum PageScript {
  static let text = #"""
// Shows changes as they come. Without it, the page shows what was there when it was loaded.
"use strict";

const live = document.getElementById("live");
const state = document.getElementById("live-state");
// In milliseconds. A view that takes the server long is asked for less often.
const pause = 1000;
const restPerWork = 5;
const timeout = 60000;
let last = null;

// Identifies a node among its siblings: by its identifier, or by its whole content.
function key(node) {
  return node.id ? "#" + node.id : node.outerHTML ?? node.nodeName + node.nodeValue;
}

// Makes a node like another one. Equal parts stay, and so do the parts that a reader has opened,
// selected, scrolled or focused.
function update(node, next) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
    return;
  }
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (name !== "open" && node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  updateChildren(node, [...next.childNodes]);
}

// The places of nodes by their key, of those that no sibling has.
function placesByKey(nodes) {
  const places = new Map();
  nodes.forEach((node, place) => {
    const name = key(node);
    places.set(name, places.has(name) ? null : place);
  });
  return places;
}

// Pairs the places of the same nodes before and after, as many as can stay in their order: to move
// a node would take the focus from it. Returns the place before, or undefined, for each node after.
function pairs(before, after) {
  const known = placesByKey(before);
  const wanted = placesByKey(after);
  // The last pairs of the best ways of each length so far, by the place before.
  const ends = [];
  for (const [name, place] of wanted) {
    const found = known.get(name);
    if (place === null || found === undefined || found === null) continue;
    let length = ends.length;
    while (length > 0 && ends[length - 1].found >= found) length -= 1;
    ends[length] = { found, place, previous: ends[length - 1] };
  }
  const pairs = new Array(after.length);
  for (let end = ends.at(-1); end !== undefined; end = end.previous) pairs[end.place] = end.found;
  return pairs;
}

function updateChildren(parent, next) {
  const nodes = [...parent.childNodes];
  const kept = pairs(nodes, next);
  const staying = new Set(kept);
  let free = 0;
  next.forEach((child, index) => {
    if (kept[index] !== undefined) {
      free = kept[index] + 1;
      return;
    }
    // A changed node has the same place between nodes that are the same.
    const node = nodes[free];
    if (node === undefined || staying.has(free) || node.id || child.id ||
      node.nodeName !== child.nodeName) return;
    kept[index] = free;
    staying.add(free);
    free += 1;
  });
  nodes.forEach((node, place) => {
    if (!staying.has(place)) node.remove();
  });
  let cursor = parent.firstChild;
  next.forEach((child, index) => {
    if (kept[index] === undefined) {
      parent.insertBefore(child, cursor);
    } else {
      update(nodes[kept[index]], child);
      cursor = nodes[kept[index]].nextSibling;
    }
  });
}

function tell(text) {
  if (state === null) return;
  state.hidden = text === "";
  if (state.textContent !== text) state.textContent = text;
}

async function read() {
  if (document.hidden) return;
  let text;
  try {
    const response = await fetch(location.href, {
      headers: { Accept: "text/html" }, signal: AbortSignal.timeout(timeout) });
    if (!response.ok) {
      tell("The server returns the status " + response.status + ".");
      return;
    }
    text = await response.text();
  } catch {
    tell("The server does not respond.");
    return;
  }
  tell("");
  if (text === last) return;
  last = text;
  const page = new DOMParser().parseFromString(text, "text/html");
  // The page in the place of a view has none of its forms.
  if (document.getElementById("waiting") !== null && page.getElementById("waiting") === null) {
    location.reload();
    return;
  }
  const next = page.getElementById("live");
  if (next !== null) updateChildren(live, [...next.childNodes]);
}

async function run() {
  let rest = pause;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, rest));
    const start = performance.now();
    await read();
    rest = Math.max(pause, restPerWork * (performance.now() - start));
  }
}

// Copies the text that a button names.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-copy]");
  const source = button && document.getElementById(button.dataset.copy);
  if (!source) return;
  const words = button.textContent;
  const show = (text) => {
    button.textContent = text;
    setTimeout(() => { button.textContent = words; }, 2000);
  };
  navigator.clipboard.writeText(source.textContent).then(() => show("Copied"), () => show("Not copied"));
});

// Moves by arrows between the rows of a table.
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const row = event.target.closest?.("table.records tbody tr");
  const next = event.key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
  const link = next?.querySelector("a");
  if (!link) return;
  event.preventDefault();
  link.focus();
});

function uncover() {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
}

document.querySelector("nav.views [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
uncover();
if (live !== null) {
  new MutationObserver(uncover).observe(live, { childList: true, subtree: true });
  run();
}

"""#
}
