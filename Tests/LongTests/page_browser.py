"""Clicks through the page of a served container in Chromium, and checks what can be seen.

    python3 page_browser.py ADDRESS

The container has a zone Notes with a Note 'first' that has an encrypted field 'secret', and a parent
of the Note 'child'. Screenshots are written to the folder of the variable CONSOLE_PICTURES. Needs the module
selenium and Debian's chromium-driver; with the module axe_selenium_python, each view is also checked by axe-core.
"""

import json
import os
import pathlib
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import (
    NoSuchElementException, SessionNotCreatedException, StaleElementReferenceException,
    WebDriverException)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

ADDRESS = sys.argv[1].rstrip("/")
PICTURES = os.environ.get("CONSOLE_PICTURES")
FOLDER = pathlib.Path(PICTURES) if PICTURES else None
CONTAINER = "iCloud.com.example.notes"


def start(width, dark=False, javascript=True, keeps_requests=False):
    options = webdriver.ChromeOptions()
    if keeps_requests:
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    scheme = 0 if dark else 1
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu",
                     f"--blink-settings=preferredColorScheme={scheme}"]:
        options.add_argument(argument)
    if not javascript:
        options.add_experimental_option(
            "prefs", {"profile.managed_default_content_settings.javascript": 2})
    service = webdriver.ChromeService("/usr/bin/chromedriver")
    try:
        browser = webdriver.Chrome(options=options, service=service)
    except SessionNotCreatedException:
        # Beside other tests, the browser can be too slow for its driver.
        browser = webdriver.Chrome(options=options, service=service)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        dict(width=width, height=900, deviceScaleFactor=1, mobile=width < 600))
    return browser


def text(browser):
    return browser.find_element(By.TAG_NAME, "body").text


def wait(browser, condition):
    # The page may be replaced while it is looked at.
    ignored = [StaleElementReferenceException, NoSuchElementException]
    return WebDriverWait(browser, 60, ignored_exceptions=ignored).until(condition)


def is_gone(element):
    """Whether an element is no longer on the page; while a page is replaced, the driver has other errors."""
    try:
        element.is_enabled()
    except WebDriverException:
        return True
    return False


def follow(browser, by, value):
    """Clicks a link or a button, and waits for the page that it leads to.

    Without that, what is loaded next can cancel the request of a form.
    """
    element = browser.find_element(by, value)
    element.click()
    wait(browser, lambda _: is_gone(element))


def enter(browser, name, words):
    """Types words into an input and sends its form, and waits for the page that it leads to.

    What is found before that can be of the page that is about to go.
    """
    field = browser.find_element(By.NAME, name)
    field.clear()
    field.send_keys(words, Keys.ENTER)
    wait(browser, lambda _: is_gone(field))


def shot(browser, name):
    if FOLDER:
        FOLDER.mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(FOLDER / f"{name}.png"))


def send(path, body):
    target = (f"{ADDRESS}/database/1/{CONTAINER}/development/private/{path}"
              "?ckAPIToken=test&ckWebAuthToken=__defaultOwner__")
    request = urllib.request.Request(target, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def post(path, body):
    """Sends a request of a test."""
    request = urllib.request.Request(ADDRESS + path, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request) as response:
        return response.read()


def save(name, title):
    fields = {"title": {"value": title, "type": "STRING"}}
    record = {"recordType": "Note", "recordName": name, "fields": fields}
    answer = send("records/modify", {
        "zoneID": {"zoneName": "Notes"},
        "operations": [{"operationType": "forceUpdate", "record": record}]})
    assert "serverErrorCode" not in answer["records"][0], answer


def views(browser):
    browser.get(ADDRESS)
    links = browser.find_elements(By.CSS_SELECTOR, "nav.views a")
    return [(link.text, link.get_attribute("href")) for link in links]


def is_accessible(browser, name, rules=None):
    """Checks a page by axe-core: by all rules, or by some."""
    try:
        import axe_selenium_python
    except ImportError:
        return
    axe = axe_selenium_python.Axe(browser)
    if not browser.execute_script("return 'axe' in window"):
        axe.inject()
    options = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    problems = axe.run(options=json.dumps(options))["violations"]
    assert not problems, name + ": " + axe.report(problems)


def page(view):
    return f"{ADDRESS}/page/{CONTAINER}/development/{view}"


def record_list():
    return page("records?database=private&zone=Notes&type=Note")


def record(name):
    return page(f"record?database=private&zone=Notes&name={name}")


def reads_without_script():
    """Without JavaScript, a reader comes by links from the overview to a referenced record."""
    browser = start(1280, javascript=False)
    browser.get(ADDRESS)
    for name in ["Note", "child", "first"]:
        follow(browser, By.LINK_TEXT, name)
    assert "Hello" in text(browser)
    assert "secret word" not in browser.page_source
    follow(browser, By.LINK_TEXT, "Show encrypted values")
    assert "secret word" in browser.page_source
    follow(browser, By.LINK_TEXT, "Cover encrypted values")
    assert "secret word" not in browser.page_source
    browser.get(record_list())
    enter(browser, "where", "title = 'Below'")
    wait(browser, lambda b: "where=title" in b.current_url)
    for name, address in views(browser):
        browser.get(address)
        assert browser.find_element(By.TAG_NAME, "h1").text == name, address
    browser.quit()


def works_by_keyboard():
    """The first key leads past the links; a record is found by typing its name."""
    browser = start(1280)
    browser.get(ADDRESS)
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Skip to the content"
    names = []
    for _ in range(30):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        names.append(browser.switch_to.active_element.get_attribute("name"))
        if names[-1] == "text":
            break
    browser.switch_to.active_element.send_keys("first", Keys.ENTER)
    wait(browser, lambda b: "first" in b.find_element(By.TAG_NAME, "h1").text)
    # The beginning of a condition is chosen, and completed between its quotes.
    browser.get(record_list())
    field = browser.find_element(By.NAME, "where")
    field.send_keys("tit")
    wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, ".offers [role=option]").is_displayed())
    is_accessible(browser, "a list of conditions")
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert field.get_attribute("value") == "title BEGINSWITH ''", field.get_attribute("value")
    field.send_keys("Bel", Keys.ENTER)
    wait(browser, lambda b: "where=title" in b.current_url)
    assert [a.text for a in browser.find_elements(By.CSS_SELECTOR, "tbody a")] == ["child"]
    browser.quit()


def is_live():
    """What is saved by a request is seen without loading the page again."""
    browser = start(1280)
    browser.get(record("first"))
    mark = browser.execute_script("window.mark = 1; return window.mark")
    save("first", "Changed")
    wait(browser, lambda b: "Changed" in text(b))
    assert browser.execute_script("return window.mark") == mark
    browser.get(page("changes"))
    save("later", "Later")
    wait(browser, lambda b: "later" in text(b))
    browser.get(page("requests"))
    entry = wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, "details.entry"))
    entry.find_element(By.TAG_NAME, "summary").click()
    opened = entry.get_attribute("id")
    browser.execute_script("document.activeElement.blur()")
    before = len(browser.find_elements(By.CSS_SELECTOR, "details.entry"))
    send("zones/list", {})
    wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, "details.entry")) > before)
    assert browser.find_element(By.ID, opened).get_attribute("open") is not None
    browser.quit()


def keeps_what_is_in_use():
    """What is selected, opened, focused or scrolled to stays so while the page shows changes."""
    browser = start(400)
    for number in range(30):
        save(f"row-{number:02}", "A title that is long enough to make the table wide " * 3)
    browser.get(record_list())
    # The focus of a reader who has clicked into the table does not stop it.
    browser.execute_script("""
        const region = document.querySelector(".scroll");
        region.focus(); region.scrollLeft = 50;
        const cell = [...document.querySelectorAll("td a")].find(a => a.textContent === "row-07");
        getSelection().selectAllChildren(cell);
        document.querySelector("[name=where]").value = "typed";
        scrollTo(0, 200);
        window.region = region;""")
    save("row-00a", "in between")
    wait(browser, lambda b: "row-00a" in text(b))
    kept = browser.execute_script("""
        return [document.activeElement === window.region, window.region.scrollLeft,
          getSelection().toString(), document.querySelector("[name=where]").value,
          scrollY > 100, document.contains(window.region)];""")
    assert kept == [True, 50, "row-07", "typed", True, True], kept
    browser.get(page("requests"))
    entry = wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, "details.entry"))
    summary = entry.find_element(By.TAG_NAME, "summary")
    summary.click()
    opened = entry.get_attribute("id")
    browser.execute_script("window.entry = arguments[0]; arguments[1].focus()", entry, summary)
    before = len(browser.find_elements(By.CSS_SELECTOR, "details.entry"))
    send("zones/list", {})
    wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, "details.entry")) > before)
    kept = browser.execute_script("""
        return [document.getElementById(arguments[0]) === window.entry, window.entry.open,
          document.activeElement.parentElement === window.entry,
          document.querySelector("details.entry") === window.entry];""", opened)
    assert kept == [True, True, True, False], kept
    browser.quit()


def shows_what_a_reload_would():
    """After many changes, the page is what a reader would see who loads it now."""
    browser = start(1280)
    script = """
        const done = arguments[0];
        const plain = page => {
          const copy = page.getElementById("live").cloneNode(true);
          for (const details of copy.querySelectorAll("details")) details.removeAttribute("open");
          return copy.innerHTML;
        };
        fetch(location.href).then(response => response.text()).then(text => {
          const loaded = new DOMParser().parseFromString(text, "text/html");
          done(plain(document) === plain(loaded));
        });"""
    for view in ["changes", "requests"]:
        browser.get(page(view))
        for number in range(40):
            save(f"row-{number * 7 % 30:02}", f"Title {number}")
            if number % 10 == 0:
                time.sleep(1.3)
        wait(browser, lambda b: b.execute_async_script(script))
    browser.quit()


def sets_up_faults():
    """A fault is set up by the form, happens, and is removed."""
    browser = start(1280)
    browser.get(page("faults"))
    Select(browser.find_element(By.NAME, "endpoint")).select_by_value("zones/list")
    follow(browser, By.XPATH, "//button[starts-with(text(), 'Rate limited')]")
    assert "The fault is set up." in text(browser)
    wait(browser, lambda b: "THROTTLED" in b.find_element(By.ID, "live").text)
    try:
        send("zones/list", {})
        raise AssertionError("the fault did not happen")
    except urllib.error.HTTPError as error:
        assert error.code == 429, error
    assert "zones" in send("zones/list", {})
    # One that happened as often as it was asked to is gone.
    wait(browser, lambda b: "No fault is active." in text(b))
    follow(browser, By.XPATH, "//button[starts-with(text(), 'Conflict')]")
    follow(browser, By.XPATH, "//button[text()='Remove']")
    wait(browser, lambda b: "No fault is active." in text(b))
    browser.find_element(By.XPATH, "//summary[text()='Custom fault']").click()
    follow(browser, By.XPATH, "//button[text()='Set up']")
    assert "a fault has 'error'" in text(browser)
    assert browser.find_element(By.XPATH, "//button[text()='Set up']").is_displayed()
    browser.quit()


def shows_records():
    """Columns, filters and pages are chosen by the form and by the keyboard, and stay in the address."""
    browser = start(1440)
    browser.get(record_list())
    browser.find_element(By.XPATH, "//summary[text()='Columns']").click()
    browser.find_element(By.CSS_SELECTOR, "[name=column][value=___createTime]").click()
    follow(browser, By.XPATH, "//button[text()='Show these columns']")
    assert "column=___createTime" in browser.current_url, browser.current_url
    assert "Created" in browser.find_element(By.TAG_NAME, "thead").text
    Select(browser.find_element(By.NAME, "has")).select_by_visible_text("secret")
    follow(browser, By.XPATH, "//button[text()='Apply']")
    assert "has=secret" in browser.current_url and "column=___createTime" in browser.current_url
    assert [a.text for a in browser.find_elements(By.CSS_SELECTOR, "tbody a")] == ["first"]
    kept = browser.execute_script("return [localStorage.length, sessionStorage.length, document.cookie]")
    assert kept[:2] == [0, 0] and "secret word" not in kept[2], kept
    browser.get(record_list())
    rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr td:first-child a")
    browser.execute_script("arguments[0].focus()", rows[0])
    browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert browser.switch_to.active_element.text == rows[1].text
    browser.quit()


def requested(browser):
    """The addresses that the browser has asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [event["params"]["request"]["url"] for event in events
            if event["method"] == "Network.requestWillBeSent"]


def leaves_no_condition():
    """A value that somebody types for an encrypted field is in no address, nor in what a browser keeps."""
    typed = "a-typed-word"
    browser = start(1440, keeps_requests=True)
    browser.get(record_list())
    for condition, words in [
            (f"secret = '{typed}'", "left the condition out"), (f"secrt = '{typed}'", "has a field 'secrt'"),
            (f"title = '{typed}", "closing")]:
        enter(browser, "where", condition)
        wait(browser, lambda b: words in text(b))
    time.sleep(1.5)
    assert "The server returns" not in text(browser), text(browser)
    enter(browser, "where", "title = 'Below'")
    wait(browser, lambda b: "where=title" in b.current_url)
    assert [a.text for a in browser.find_elements(By.CSS_SELECTOR, "tbody a")] == ["child"]
    addresses = requested(browser)
    assert any(address.endswith("/actions/filter") for address in addresses), addresses
    assert not any(typed in address for address in addresses), addresses
    kept = browser.execute_script("return JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])")
    assert typed not in kept, kept
    browser.quit()


def searches_requests():
    """Requests are found by type and error, and sent again."""
    save("again", "Sent twice")
    browser = start(1440)
    browser.get(page("requests"))
    enter(browser, "search", "again")
    entry = wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, "details.entry"))
    assert "Note" in entry.text and "1 item" in entry.text, entry.text
    entry.find_element(By.TAG_NAME, "summary").click()
    follow(browser, By.XPATH, "//button[text()='Send again']")
    assert "The request was sent again." in text(browser)
    browser.get(record("again"))
    assert "History" in text(browser) and "Sent twice" in text(browser)
    browser.quit()


def press(browser, action):
    """Sends the form of an action."""
    follow(browser, By.CSS_SELECTOR, f"form[action$='/{action}'] button")


def holds_requests():
    """A request waits until it is released; faults, requests and the clock are changed by their forms."""
    browser = start(1280)
    browser.get(page("faults"))
    Select(browser.find_element(By.NAME, "endpoint")).select_by_value("zones/list")
    follow(browser, By.CSS_SELECTOR, "button[name=preset][value=held]")
    waiting = threading.Thread(target=send, args=("zones/list", {}))
    waiting.start()
    wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, "form[action$='/release'] button"))
    press(browser, "release")
    waiting.join()
    assert "The request goes on." in text(browser)
    follow(browser, By.CSS_SELECTOR, "button[name=preset][value=slow]")
    press(browser, "clear-faults")
    assert "All faults were removed" in text(browser)
    before = browser.find_element(By.CSS_SELECTOR, "form[action$='/clock']").find_element(
        By.XPATH, "preceding::time[1]").get_attribute("datetime")
    browser.find_element(By.NAME, "advance").send_keys("86400")
    press(browser, "clock")
    after = browser.find_element(By.CSS_SELECTOR, "form[action$='/clock']").find_element(
        By.XPATH, "preceding::time[1]").get_attribute("datetime")
    assert after[:10] > before[:10], (before, after)
    browser.get(page("requests"))
    press(browser, "clear-requests")
    assert "No requests yet." in text(browser)
    browser.quit()


def saves_files():
    """The shown records are saved as JSON, CSV and a bundle, and the container as a bundle."""
    folder = pathlib.Path(tempfile.mkdtemp())
    browser = start(1280)
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", dict(behavior="allow", downloadPath=str(folder)))
    browser.get(record_list() + "&has=secret")
    browser.find_element(By.XPATH, "//summary[text()='Export']").click()
    for title, name in [("JSON", "Note.json"), ("CSV", "Note.csv"), ("Bundle", "Note.recordpack")]:
        browser.find_element(By.LINK_TEXT, title).click()
        wait(browser, lambda _: (folder / name).exists())
    records = json.loads((folder / "Note.json").read_text())
    assert [record["recordName"] for record in records] == ["first"]
    assert "secret word" not in (folder / "Note.json").read_text() + (folder / "Note.csv").read_text()
    browser.get(page("overview"))
    before = len(list(folder.iterdir()))
    browser.find_element(By.CSS_SELECTOR, "form[action$='/snapshot'] button").click()
    wait(browser, lambda _: len(list(folder.iterdir())) > before)
    browser.quit()


def is_reset():
    """The container is reset by the button."""
    save("thrown-away", "x")
    browser = start(1280)
    browser.get(page("overview"))
    browser.find_element(By.XPATH, "//summary[starts-with(text(), 'Reset')]").click()
    follow(browser, By.XPATH, "//button[starts-with(text(), 'Reset')]")
    assert "first contents again" in text(browser)
    browser.get(record("thrown-away"))
    assert "There is no such record" in text(browser)
    browser.quit()


def run(checks):
    """Runs checks, and ends with code 1 after the first that fails."""
    for check in checks:
        started = time.time()
        try:
            check()
        except Exception:
            print(traceback.format_exc())
            sys.exit(1)
        print(f"{check.__name__}: ok ({time.time() - started:.1f} s)", flush=True)


if __name__ == "__main__":
    run([
        reads_without_script, works_by_keyboard, is_live, keeps_what_is_in_use,
        shows_what_a_reload_would, sets_up_faults, shows_records, leaves_no_condition, searches_requests, saves_files,
        holds_requests, is_reset])
