"""A reader of the console who has a mouse and a keyboard, or a keyboard alone, and counts what it takes.

page_work.py says what this reader does.
"""

import time

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from page_browser import is_gone, start

# How often Tab has to be pressed from what has the focus to an element; negative for Shift and Tab.
DISTANCE = """
    const target = arguments[0];
    const stops = [...document.querySelectorAll(
      "a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.type !== "hidden");
    const active = document.activeElement;
    const goal = stops.indexOf(target);
    if (goal < 0) return null;
    if (active === document.body || active === document.documentElement) {
      // The first link leads past the others.
      const main = document.querySelector("main");
      const first = stops.findIndex((stop) => main?.contains(stop));
      return goal < first + 2 || !main?.contains(target) ? goal + 1 : { past: goal - first + 1 };
    }
    const place = stops.indexOf(active);
    if (place >= 0) return goal - place;
    const before = stops.filter((stop) =>
      active.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING).length;
    return goal - before + (goal >= before ? 1 : 0);
"""

SEEN = """
    const [selector] = arguments;
    const found = [];
    if (/^[/(.]/.test(selector)) {
      const results = document.evaluate(selector, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
      for (let place = 0; place < results.snapshotLength; place += 1) found.push(results.snapshotItem(place));
    } else found.push(...document.querySelectorAll(selector));
    return found.filter((element) => element.checkVisibility({ visibilityProperty: true })
      && element.getClientRects().length > 0 && !element.closest(".hidden, [aria-hidden=true]"));
"""

# Brings an element into the window, and says what a click on its middle meets instead of it.
COVER = """
    const [target, x] = arguments;
    const box = () => [...target.getClientRects()][0] ?? target.getBoundingClientRect();
    const place = () => [box().left + (x ?? box().width / 2), box().top + box().height / 2];
    const meets = () => document.elementFromPoint(...place());
    let found = meets();
    if (!target.contains(found)) { target.scrollIntoView({ block: "center", inline: "nearest" }); found = meets(); }
    const label = target.closest("label");
    return target.contains(found) || label?.contains(found) ? [...place(), null]
      : [...place(), found ? found.outerHTML.slice(0, 120) : "nothing"];
"""


def wait(browser, condition, seconds=20):
    """Waits as long as a reader would."""
    # While a page is replaced, the driver has several errors.
    return WebDriverWait(browser, seconds, 0.05, ignored_exceptions=[WebDriverException]).until(condition)


class User:
    """Reaches elements as people do: by clicks at their place, or by Tab, Enter and access keys."""

    def __init__(self, width, dark, by_keyboard, folder):
        self.browser = start(width, dark)
        # axe-core takes long beside other tests.
        self.browser.set_script_timeout(300)
        self.by_keyboard = by_keyboard
        self.browser.execute_cdp_cmd(
            "Browser.setDownloadBehavior", dict(behavior="allow", downloadPath=str(folder)))
        self.clicks = self.keys = self.letters = 0

    # What is seen.

    def text(self):
        return self.browser.find_element(By.TAG_NAME, "body").text

    def title(self):
        return self.browser.find_element(By.TAG_NAME, "h1").text

    def until(self, condition):
        return wait(self.browser, lambda _: condition())

    def sees(self, *words):
        """Waits until the page has all words."""
        missing = []

        def has_all():
            shown = self.text()
            missing[:] = [word for word in words if word not in shown]
            return not missing
        try:
            self.until(has_all)
        except WebDriverException:
            raise AssertionError(f"not seen: {missing}, on {self.title()!r}") from None

    def all(self, selector):
        """The elements that are seen, by a selector of CSS or a path of XPath."""
        return self.browser.execute_script(SEEN, selector)

    def one(self, selector):
        """The first of the elements that are seen; waits for it."""
        try:
            return wait(self.browser, lambda _: (self.all(selector) or [None])[0])
        except WebDriverException:
            raise AssertionError(f"there is no {selector}, on {self.title()!r}") from None

    # What the hands do.

    def press(self, selector, x=None):
        """Clicks an element, or reaches it by Tab and presses Enter, or the space bar for a box."""
        for _ in range(5):
            try:
                element = self.one(selector)
                self._press(element, x)
                return element
            except StaleElementReferenceException:
                # The page follows changes, and may have replaced the element.
                continue
        raise AssertionError(f"{selector} does not stay")

    def _press(self, element, x=None):
        if not self.by_keyboard:
            self._click(element, x)
            return
        self._reach(element)
        is_box = element.tag_name == "input" and element.get_attribute("type") in ("checkbox", "radio")
        self.key(" " if is_box else Keys.ENTER)

    def go(self, selector):
        """Presses a link or a button that leads to another page, and waits until the page is there."""
        element = self.press(selector)
        self._arrive(element)

    def _arrive(self, element):
        wait(self.browser, lambda _: is_gone(element))
        wait(self.browser, lambda b: b.execute_script("return document.readyState") == "complete")

    def link(self, words, inside="main"):
        self.go(f"//{inside}//a[normalize-space()={quoted(words)}]")

    def view(self, words):
        """Follows a link to a view."""
        self.link(words, "nav")

    def button(self, words):
        self.go(f"//main//button[normalize-space()={quoted(words)}]")

    def open(self, words):
        """Opens a menu or a part of the page."""
        self.press(f"//main//summary[normalize-space()={quoted(words)}]")

    def focus(self, selector, x=None):
        """Clicks into an input, or comes to it by Tab; waits for it."""
        element = self.one(selector)
        if self.by_keyboard:
            self._reach(element)
        else:
            self._click(element, x)
        return element

    def fill(self, selector, words):
        """Replaces what an input has."""
        element = self.focus(selector)
        if element.get_attribute("value"):
            self._chord(Keys.CONTROL, "a")
        self.type(words)
        return element

    def send(self, selector, words):
        """Replaces what an input has, and sends its form by Enter."""
        element = self.fill(selector, words)
        self.key(Keys.ENTER)
        self._arrive(element)

    def find(self, words):
        """Finds records by the box on every page."""
        if self.by_keyboard:
            self._chord(Keys.ALT, "s")
        else:
            self._click(self.one("header [name=text]"))
        box = self.one("header [name=text]")
        assert self.browser.switch_to.active_element == box, "the access key of the box does not work"
        if box.get_attribute("value"):
            self._chord(Keys.CONTROL, "a")
        self.type(words)
        self.key(Keys.ENTER)
        self._arrive(box)

    def choose(self, selector, words):
        """Chooses what a list has under a name."""
        element = self.one(selector)
        options = [option.get_attribute("textContent").strip() for option in
                   element.find_elements(By.TAG_NAME, "option")]
        found = [place for place, option in enumerate(options) if option.startswith(words)]
        assert found, f"{selector} has no {words!r}, but {options[:20]}"
        if self.by_keyboard:
            self._reach(element)
            chosen = self.browser.execute_script("return arguments[0].selectedIndex", element)
            steps = found[0] - chosen
            self.key(*[Keys.ARROW_DOWN if steps > 0 else Keys.ARROW_UP] * abs(steps))
        else:
            # The list that opens is the browser's own: two clicks.
            element.find_elements(By.TAG_NAME, "option")[found[0]].click()
            self.clicks += 2
        chosen = self.browser.execute_script("return arguments[0].selectedIndex", element)
        assert chosen == found[0], f"{selector}: {options[chosen]!r} is chosen, not {words!r}"

    def give(self, selector, path):
        """Gives a file to an input. The window that lists files is the browser's own: a click."""
        element = self.one(selector)
        if self.by_keyboard:
            self._reach(element)
            self.keys += 1
        else:
            self.clicks += 1
        element.send_keys(str(path))

    def set_date(self, selector, month, day, year, hour, minute):
        """Enters a date and a time in the parts of an input, as American English orders them."""
        # The year may have six digits, so that the next part does not follow by itself.
        self.focus(selector, x=14)
        self.type(f"{month:02}{day:02}{year}")
        self.key(Keys.ARROW_RIGHT)
        half = "AM" if hour < 12 else "PM"
        self.type(f"{(hour - 1) % 12 + 1:02}{minute:02}00000{half[0]}")

    def type(self, words):
        self.letters += len(words)
        self._act(lambda chain: chain.send_keys(words))

    def key(self, *keys):
        self.keys += len(keys)
        if keys:
            self._act(lambda chain: chain.send_keys(*keys))

    def _chord(self, held, key):
        self.keys += 1
        self._act(lambda chain: chain.key_down(held).send_keys(key).key_up(held))

    def _act(self, add):
        chain = ActionChains(self.browser, duration=0)
        add(chain)
        chain.perform()

    def _click(self, element, x=None):
        left, top, cover = self.browser.execute_script(COVER, element, x)
        assert cover is None, f"a click meets {cover}"
        chain = ActionChains(self.browser, duration=0)
        chain.w3c_actions.pointer_action.move_to_location(int(left), int(top))
        chain.w3c_actions.pointer_action.click()
        chain.perform()
        self.clicks += 1

    def _reach(self, element):
        for _ in range(60):
            if self.browser.switch_to.active_element == element:
                return
            steps = self.browser.execute_script(DISTANCE, element)
            assert steps is not None, "Tab does not lead to " + element.get_attribute("outerHTML")[:120]
            if isinstance(steps, dict):
                self.keys += 2
                self._act(lambda chain: chain.send_keys(Keys.TAB, Keys.ENTER))
                steps = steps["past"]
            self.keys += abs(steps)
            if steps > 0:
                self._act(lambda chain: chain.send_keys(Keys.TAB * steps))
            else:
                self._act(lambda chain: chain.key_down(Keys.SHIFT).send_keys(Keys.TAB * max(1, -steps))
                          .key_up(Keys.SHIFT))
        raise AssertionError("Tab does not come to " + element.get_attribute("outerHTML")[:120])


def quoted(words):
    return f'"{words}"' if "'" in words else f"'{words}'"
