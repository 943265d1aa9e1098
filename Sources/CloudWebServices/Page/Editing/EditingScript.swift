// swift-format-ignore-file

/// The script of forms, which also work without it.
enum EditingScript {
  static let text = #"""
// Comforts of forms: finding records for references, adding elements of lists, and copying.
"use strict";

const pauseOfTyping = 250;

// Shows the records that match what is typed into the input of a reference.
function findRecords(form) {
  const list = document.createElement("datalist");
  list.id = "found-records";
  form.append(list);
  let timer = 0;
  let newest = 0;
  form.addEventListener("focusin", ({ target }) => {
    if (target.dataset?.find) target.setAttribute("list", list.id);
  });
  form.addEventListener("input", ({ target }) => {
    if (!target.dataset?.find) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      newest += 1;
      const number = newest;
      const address = form.dataset.find + "&text=" + encodeURIComponent(target.value);
      let found;
      try {
        const response = await fetch(address);
        if (!response.ok) return;
        found = (await response.json()).records;
      } catch {
        return;
      }
      if (number !== newest) return;
      list.replaceChildren(...found.map(({ name, type, title }) => {
        const option = document.createElement("option");
        option.value = name;
        option.label = [title, type].filter((text) => text !== "").join(", ");
        return option;
      }));
    }, pauseOfTyping);
  });
}

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
  findRecords(form);
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

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = navigator.clipboard === undefined;
  const words = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => { button.textContent = words; }, 2000);
  });
}

"""#
}
