// swift-format-ignore-file

/// The script of forms, which also work without it.
enum EditingScript {
  static let text = #"""
// Comforts of forms: lists of what fits an input, and elements of lists.
"use strict";

const pauseOfTyping = 250;
const pauseOfIndex = 1000;
const offering = new WeakSet();
let lists = 0;

// Offers what fits an input in a list below it, for the keys and the mouse.
function offer(input, find) {
  offering.add(input);
  const label = input.closest("label");
  const list = document.createElement("ul");
  lists += 1;
  list.id = "offers-" + lists;
  list.className = "offers";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  label.after(list);
  input.removeAttribute("list");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-haspopup", "listbox");
  input.setAttribute("aria-controls", list.id);
  let timer = 0;
  let newest = 0;
  let found = [];
  let chosen = -1;
  function show(items, isWhole = true) {
    clearTimeout(timer);
    newest += 1;
    found = items;
    chosen = -1;
    list.replaceChildren(...items.map((item, index) => {
      const option = document.createElement("li");
      option.id = list.id + "-" + index;
      option.setAttribute("role", "option");
      option.textContent = item.words;
      return option;
    }));
    if (!isWhole) {
      const more = document.createElement("li");
      more.className = "quiet";
      more.textContent = "An index of words is being made…";
      list.append(more);
      // A list from which somebody chooses stays.
      timer = setTimeout(() => { if (chosen < 0) search(); }, pauseOfIndex);
    }
    list.hidden = list.children.length === 0;
    input.removeAttribute("aria-activedescendant");
    list.style.left = label.offsetLeft + "px";
    list.style.top = label.offsetTop + label.offsetHeight + "px";
    list.style.minWidth = input.offsetWidth + "px";
  }
  function choose(index) {
    list.children[chosen]?.removeAttribute("aria-selected");
    chosen = (index + found.length) % found.length;
    const option = list.children[chosen];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  }
  function take(index) {
    const { value } = found[index];
    input.value = value;
    show([]);
    // The quoted text is entered next.
    const quoted = /'[^']*'$/.exec(value);
    if (quoted !== null) input.setSelectionRange(quoted.index + 1, value.length - 1);
  }
  async function search() {
    newest += 1;
    const number = newest;
    const { items, isWhole } = await find(input.value);
    if (number === newest && document.activeElement === input) show(items, isWhole);
  }
  show([]);
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, pauseOfTyping);
  });
  input.addEventListener("blur", () => show([]));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length === 0) search();
    else if (step) choose(chosen < 0 && step < 0 ? -1 : chosen + step);
    else if (event.key === "Enter" && chosen >= 0) take(chosen);
    else if (event.key === "Escape" && !list.hidden) show([]);
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest("[role=option]");
    if (option !== null) take([...list.children].indexOf(option));
  });
}

// The records that match what is typed into the input of a reference.
async function records(form, text) {
  try {
    const response = await fetch(form.dataset.find + "&text=" + encodeURIComponent(text));
    if (!response.ok) return { items: [] };
    const { records, isWhole } = await response.json();
    return { isWhole, items: records.map(({ name, type, title }) =>
      ({ value: name, words: [title, name, type].filter((word) => word !== "").join(", ") })) };
  } catch {
    return { items: [] };
  }
}

// The conditions that complete the last part of one.
function conditions(known, text) {
  const before = /^(?:.*\b(?:AND|OR)\s+)?/i.exec(text)[0];
  const part = text.slice(before.length).trim().toLowerCase();
  return { items: known.filter((condition) => condition.toLowerCase().includes(part))
    .map((condition) => ({ value: before + condition, words: condition })) };
}

document.addEventListener("focusin", ({ target }) => {
  if (offering.has(target)) return;
  if (target.dataset?.find) offer(target, (text) => records(target.form, text));
  if (target.getAttribute?.("list") !== "conditions") return;
  const known = [...target.list.options].map((option) => option.value);
  offer(target, (text) => conditions(known, text));
});

// Adds inputs for another element of a list without a request.
function addElement(button) {
  const field = button.closest("fieldset");
  const prefix = field.dataset.field;
  const count = field.querySelector(`[name="${CSS.escape(prefix)}count"]`);
  const last = field.querySelector("li.new");
  const place = Number(count.value);
  const item = last.cloneNode(true);
  item.classList.remove("new");
  for (const input of item.querySelectorAll("[name]")) {
    input.name = input.name.replace(prefix + "new/", prefix + place + "/");
    if (input.id) input.id += "-" + place;
  }
  const originals = last.querySelectorAll("textarea, select");
  item.querySelectorAll("textarea, select").forEach((input, index) => {
    input.value = originals[index].value;
  });
  for (const input of last.querySelectorAll("input:not([list=time-zones]), textarea")) input.value = "";
  const label = document.createElement("label");
  label.className = "check";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.name = prefix + place + "/remove";
  box.value = "1";
  label.append(box, "Remove");
  item.append(label);
  last.before(item);
  count.value = String(place + 1);
  last.querySelector("input, textarea")?.focus();
}

for (const form of document.querySelectorAll("form[data-find]")) {
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=step]");
    if (!button?.value.startsWith("add ")) return;
    event.preventDefault();
    addElement(button);
  });
}

// The time zones, that of the browser first.
if (document.querySelector("input[list=time-zones]") !== null) {
  const zones = document.createElement("datalist");
  zones.id = "time-zones";
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  zones.append(...[own, "UTC", ...Intl.supportedValuesOf("timeZone")].map((name) => {
    const option = document.createElement("option");
    option.value = name;
    return option;
  }));
  document.body.append(zones);
}

"""#
}
