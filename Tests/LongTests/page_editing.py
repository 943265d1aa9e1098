"""Changes records, zones and shares of a served container in Chromium.

    python3 page_editing.py ADDRESS

The container has the zone Notes, a Note 'first' with the encrypted field 'secret', the schema of the
test, and the user _kenji. See page_browser.py for what it needs.
"""

import pathlib
import tempfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from page_browser import (
    follow, is_accessible, page, record, run, send, shot, start, text, wait)

ZONE = "database=private&zone=Notes"
SECRET = "the-secret-word"


def form(query="&type=Note"):
    return page(f"edit?{ZONE}{query}")


def part(browser, field, name="0/text"):
    return browser.find_element(By.NAME, f"f/{field}/{name}")


def set_date(browser, element, value):
    # The keys of a date depend on the language of the browser.
    browser.execute_script("arguments[0].value = arguments[1]", element, value)


def save(browser):
    follow(browser, By.XPATH, "//p[@class='buttons']/button[text()='Save']")


def fields(name):
    answer = send("records/lookup", {
        "zoneID": {"zoneName": "Notes"}, "records": [{"recordName": name}]})
    return answer["records"][0]["fields"]


def act_as(browser, words):
    browser.get(page("users"))
    follow(browser, By.XPATH, f"//button[contains(@aria-label, '{words}')]")


def leaves_no_trace(browser):
    """The secret is in no address, cookie or storage of the browser."""
    stored = browser.execute_script("""
        return JSON.stringify([location.href, document.cookie, {...localStorage},
          {...sessionStorage}, performance.getEntries().map(entry => entry.name)])""")
    assert SECRET not in stored, stored
    assert SECRET not in str(browser.get_cookies())


def looks_good(browser, name):
    shot(browser, "form-" + name.replace(", ", "-").replace(" ", "-"))
    widths = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1], (name, widths)
    is_accessible(browser, name)


def creates_with_each_type():
    """A record is made with a value of each type, with the comforts of the script."""
    browser = start(1280)
    browser.get(page(f"records?{ZONE}&type=Note"))
    follow(browser, By.LINK_TEXT, "New record")
    browser.find_element(By.CSS_SELECTOR, "main [name=name]").send_keys("made")
    part(browser, "title").send_keys("One", Keys.ENTER, "Two")
    part(browser, "count").send_keys("42")
    part(browser, "score").send_keys("2.5")
    set_date(browser, part(browser, "due"), "2026-07-01T12:30")
    part(browser, "due", "0/timezone").clear()
    part(browser, "due", "0/timezone").send_keys("Europe/Berlin")
    part(browser, "data").send_keys("AAEC")
    part(browser, "place", "0/latitude").send_keys("52.5")
    part(browser, "place", "0/longitude").send_keys("13.4")
    part(browser, "secret").send_keys(SECRET)
    author = part(browser, "author")
    author.send_keys("hel")
    wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, ".offers [role=option]").text == "Hello, first, Note")
    is_accessible(browser, "a list of records")
    author.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert author.get_attribute("value") == "first", author.get_attribute("value")
    assert not any(offers.is_displayed() for offers in browser.find_elements(By.CLASS_NAME, "offers"))
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "a.txt").write_text("content")
    (folder / "empty").write_text("")
    part(browser, "file", "0/file").send_keys(str(folder / "a.txt"))
    part(browser, "files", "files").send_keys(f"{folder / 'a.txt'}\n{folder / 'empty'}")
    mark = browser.execute_script("window.mark = 1; return window.mark")
    for number, word in enumerate(["x", "y"]):
        part(browser, "tags", "new/text").send_keys(word)
        button = browser.find_element(By.CSS_SELECTOR, "button[value='add f/tags/']")
        button.click()
        wait(browser, lambda b: part(b, "tags", f"{number}/text").get_attribute("value") == word)
    assert browser.execute_script("return window.mark") == mark
    part(browser, "counts", "new/text").send_keys("7")
    is_accessible(browser, "a form with added elements")
    save(browser)
    assert "Saved." in text(browser), text(browser)
    leaves_no_trace(browser)
    assert SECRET not in browser.page_source
    follow(browser, By.LINK_TEXT, "Request and response")
    assert "records/modify" in text(browser), text(browser)
    assert SECRET not in browser.page_source
    browser.quit()
    saved = {name: field["value"] for name, field in fields("made").items()}
    assert saved["title"] == "One\nTwo", saved
    assert (saved["count"], saved["score"], saved["due"]) == (42, 2.5, 1782901800000), saved
    assert saved["data"] == "AAEC" and saved["secret"] == SECRET, saved
    assert saved["place"]["latitude"] == 52.5, saved
    assert saved["author"]["recordName"] == "first", saved
    assert saved["tags"] == ["x", "y"] and saved["counts"] == [7], saved
    assert saved["file"]["size"] == 7, saved
    assert [asset["size"] for asset in saved["files"]] == [7, 0], saved


def edits_without_script():
    """Without JavaScript, a record is changed, an element added, and a covered value stays."""
    browser = start(1280, javascript=False)
    browser.get(record("made"))
    follow(browser, By.LINK_TEXT, "Edit")
    part(browser, "tags", "new/text").send_keys("z")
    follow(browser, By.CSS_SELECTOR, "button[value='add f/tags/']")
    part(browser, "tags", "3/text").send_keys("w")
    part(browser, "tags", "0/remove").click()
    part(browser, "count").clear()
    title = part(browser, "title")
    title.clear()
    title.send_keys("Changed")
    save(browser)
    assert "Saved." in text(browser), text(browser)
    browser.quit()
    saved = {name: field["value"] for name, field in fields("made").items()}
    assert saved["tags"] == ["y", "z", "w"] and saved["title"] == "Changed", saved
    assert "count" not in saved and saved["secret"] == SECRET, saved
    assert saved["due"] == 1782901800000, saved


def shows_a_conflict():
    """Of a record that has changed meanwhile, both versions are shown, and one is chosen."""
    browser = start(1280)
    browser.get(form("&name=made"))
    part(browser, "title").clear()
    part(browser, "title").send_keys("Mine")
    send("records/modify", {"zoneID": {"zoneName": "Notes"}, "operations": [
        {"operationType": "forceUpdate", "record": {
            "recordType": "Note", "recordName": "made",
            "fields": {"title": {"value": "Theirs"}, "count": {"value": 3}}}}]})
    save(browser)
    for words in ["CONFLICT", "Both versions", "Mine", "Theirs"]:
        assert words in text(browser), words
    looks_good(browser, "conflict")
    follow(browser, By.XPATH, "//button[text()='Save over the other change']")
    assert "Saved." in text(browser), text(browser)
    browser.quit()
    saved = fields("made")
    assert (saved["title"]["value"], saved["count"]["value"]) == ("Mine", 3), saved


def shares():
    """A record is shared with another user, who joins, changes the record and leaves."""
    browser = start(1280)
    browser.get(record("first"))
    follow(browser, By.LINK_TEXT, "Share")
    Select(browser.find_element(By.NAME, "user")).select_by_visible_text("_kenji, Kenji")
    follow(browser, By.XPATH, "//button[text()='Share']")
    assert "Done." in text(browser), text(browser)
    sharing = page(f"sharing?{ZONE}&name=first")
    browser.get(sharing)
    looks_good(browser, "sharing")
    act_as(browser, "_kenji")
    browser.get(sharing)
    assert "there is no such record" in text(browser), text(browser)
    browser.get(page("users"))
    follow(browser, By.XPATH, "//button[text()='Show the whole container']")
    assert "whole container" in text(browser), text(browser)
    browser.get(sharing)
    follow(browser, By.XPATH, "//button[contains(., 'Accept as')]")
    assert "ACCEPTED" in text(browser), text(browser)
    browser.get(form("&name=first"))
    part(browser, "title").clear()
    part(browser, "title").send_keys("By Kenji")
    save(browser)
    assert "Saved." in text(browser), text(browser)
    assert fields("first")["title"]["value"] == "By Kenji"
    browser.get(sharing)
    follow(browser, By.XPATH, "//button[text()='Leave the share']")
    assert "Done." in text(browser), text(browser)
    act_as(browser, "the signed-in user")
    browser.get(sharing)
    follow(browser, By.XPATH, "//button[text()='Stop sharing']")
    assert "Deleted" in text(browser), text(browser)
    browser.quit()


def adds_a_user():
    """A user is added, and changes are made as that user."""
    browser = start(1280)
    browser.get(page("users"))
    browser.find_element(By.NAME, "user").send_keys("_mona")
    browser.find_element(By.NAME, "givenName").send_keys("Mona")
    follow(browser, By.CSS_SELECTOR, "form[action$='/add-user'] button")
    assert "Done." in text(browser), text(browser)
    act_as(browser, "_mona")
    assert "Acting as _mona" in text(browser), text(browser)
    browser.quit()


def deletes():
    """A record and a zone are deleted after a question, and come back."""
    browser = start(1280)
    browser.get(record("made"))
    follow(browser, By.LINK_TEXT, "Delete")
    follow(browser, By.XPATH, "//button[text()='Delete the record']")
    assert "Deleted 1 Note" in text(browser), text(browser)
    looks_good(browser, "deleted")
    follow(browser, By.XPATH, "//button[text()='Undo']")
    assert "Restored 1 record." in text(browser), text(browser)
    assert fields("made")
    browser.get(page("zones"))
    browser.find_element(By.CSS_SELECTOR, "main [name=name]").send_keys("Passing")
    follow(browser, By.XPATH, "//button[text()='Create']")
    assert "Done." in text(browser), text(browser)
    browser.get(page("zones"))
    follow(browser, By.XPATH, "//tr[.//a[normalize-space()='Passing']]//a[text()='Delete']")
    assert "This deletes the zone Passing." in text(browser), text(browser)
    follow(browser, By.XPATH, "//button[text()='Delete the zone']")
    assert "Deleted" in text(browser), text(browser)
    browser.quit()


run([
    creates_with_each_type, edits_without_script, shows_a_conflict, shares, adds_a_user, deletes])
