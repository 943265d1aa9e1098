"""Fills a served container with data that is hard to lay out, and looks at every view in Chromium.

    python3 page_looks.py ADDRESS      every view
    python3 page_looks.py FOLDER       every page in a folder, such as reports

The container is in development, has the identifier of page_browser.py, and its server takes requests of
tests. Each page is looked at with 1440 px in light and with 400 px in dark. See page_browser.py for what it
needs.
"""

import json
import pathlib
import struct
import sys
import urllib.error
import urllib.request
import zlib

from selenium.webdriver.common.by import By

from page_browser import follow, is_accessible, page, post, run, send, shot, start

LONG = "W" * 255
HEBREW = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"
ARABIC = "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645"
CHINESE = "\u6f22\u5b57\u4eee\u540d\u4ea4\u3058\u308a\u6587"
FAMILY = "\U0001F468\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466"
LONG_TYPE = "T" * 255
# The check takes long for each field.
FIELDS = 30
# The rules of axe-core that depend on the width and the colours.
RULES_OF_LOOKS = ["color-contrast", "link-in-text-block"]


# What is in the container.

def picture(width, height, color):
    """A PNG of one colour."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = (b"\0" + bytes(color) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def upload(record, field, data):
    token = send("assets/upload", {"tokens": [
        {"recordType": "Note", "recordName": record, "fieldName": field}]})["tokens"][0]
    with urllib.request.urlopen(urllib.request.Request(token["url"], data, method="POST")) as answer:
        return json.load(answer)["singleFile"]


def operate(zone, *records):
    operations = [{"operationType": "forceUpdate", "record": record} for record in records]
    answer = send("records/modify", {"zoneID": {"zoneName": zone}, "operations": operations})
    for record in answer["records"]:
        assert "serverErrorCode" not in record, record


def record(name, type="Note", parent=None, **fields):
    made = {"recordType": type, "recordName": name, "fields": fields}
    if parent:
        made["parent"] = {"recordName": parent}
    return made


def value(value, type="STRING", **others):
    return {"value": value, "type": type, **others}


def fill():
    """Zones, records, shares and requests, as many and as long as CloudKit allows them."""
    zones = ["Notes", LONG, "Empty"] + [f"Zone {number}" for number in range(4, 21)]
    send("zones/modify", {"operations": [
        {"operationType": "create", "zone": {"zoneID": {"zoneName": name}}} for name in zones]})
    for number in range(20):
        names = [("Ada", "Lovelace"), (HEBREW, ""), (CHINESE, FAMILY), (LONG, LONG)]
        post("/admin/users", {
            "userRecordName": f"_user{number}" if number else "_" + LONG[1:],
            "nameComponents": {"givenName": names[number % 4][0], "familyName": names[number % 4][1]},
            "emailAddress": f"user{number}@example.com"})
    photos = [upload(f"row-{number}", "photo", picture(*size, color)) for number, (size, color) in enumerate(
        [((320, 200), (220, 90, 60)), ((40, 900), (60, 130, 200)), ((1200, 30), (90, 170, 90))])]
    many = {f"field{number:02}": value(number * 10 ** (number // 4), "INT64") for number in range(FIELDS)}
    operate(
        "Notes",
        record("first", title=value("Hello"), secret=value("secret word", isEncrypted=True)),
        record(
            "everything", parent="first", title=value(HEBREW + " " + ARABIC), text=value(LONG * 4),
            lines=value("One\nTwo\n\n" + CHINESE * 30), count=value(2 ** 63 - 1, "INT64"),
            small=value(-(2 ** 63), "INT64"), score=value(1.7976931348623157e308, "DOUBLE"),
            due=value(1782901800000, "TIMESTAMP"), data=value("AAEC" * 40, "BYTES"),
            place=value({"latitude": 52.520008, "longitude": 13.404954, "altitude": 34.5}, "LOCATION"),
            author=value({"recordName": "first", "action": "NONE"}, "REFERENCE"),
            others=value([{"recordName": LONG, "action": "NONE"}] * 30, "REFERENCE_LIST"),
            tags=value([CHINESE, FAMILY * 20, LONG, ""] * 30, "STRING_LIST"), empty=value(""),
            nothing=value([], "STRING_LIST"), photo=value(photos[0], "ASSETID"),
            secret=value(LONG, isEncrypted=True), **many),
        record(LONG, parent="everything", title=value(FAMILY * 40)),
        record("empty", type=LONG_TYPE),
        record("settings", type="Setting", **{LONG: value("of a long name")}),
        *[record(
            f"row-{number}", title=value([ARABIC, HEBREW, CHINESE * 8, "Short", LONG][number % 5]),
            count=value(10 ** number, "INT64"), secret=value("covered", isEncrypted=True),
            due=value(1782901800000 + number * 86400000, "TIMESTAMP"), score=value(number / 3, "DOUBLE"),
            **({"photo": value(photos[number % 3], "ASSETID")} if number < 12 else {}))
          for number in range(19)],
        record("gone", title=value("Deleted")), record("share-root", title=value("Shared")))
    operate("Notes", record("row-1", title=value("Changed " + HEBREW)))
    operate("Notes", record("row-1", title=value("Changed again"), count=value(7, "INT64")))
    operate(LONG, record("in the long zone", type=LONG_TYPE, **{LONG: value(LONG)}))
    participants = [
        {"type": "USER", "permission": "READ_WRITE" if number % 2 else "READ_ONLY",
         "userIdentity": {"lookupInfo": {"emailAddress": f"user{number}@example.com"}}}
        for number in range(20)]
    answer = send("records/modify", {"zoneID": {"zoneName": "Notes"}, "operations": [
        {"operationType": "create", "record": {
            "recordType": "cloudkit.share", "recordName": "share", "forRecord": {"recordName": "share-root"},
            "publicPermission": "NONE", "participants": participants, "createShortGUID": True,
            "fields": {"cloudkit.title": value(LONG)}}}]})
    assert "serverErrorCode" not in answer["records"][0], answer
    send("records/modify", {"zoneID": {"zoneName": "Notes"}, "atomic": False, "operations": [
        {"operationType": "forceDelete", "record": {"recordName": "gone"}},
        {"operationType": "update", "record": {
            "recordType": "Note", "recordName": "first", "recordChangeTag": "stale", "fields": {}}}]})
    for path in ["records/" + LONG[:90], "zones/changes"]:
        try:
            send(path, {})
        except urllib.error.HTTPError:
            pass
    answer = send("subscriptions/modify", {"operations": [{"operationType": "create", "subscription": {
        "subscriptionID": "all-" + LONG[:200], "subscriptionType": "zone", "zoneID": {"zoneName": "Notes"}}}]})
    assert "serverErrorCode" not in answer["subscriptions"][0], answer
    operate("Notes", record("notified", title=value("Said")))
    for fault in [
            {"endpoint": "records/query", "zone": LONG, "recordType": LONG_TYPE, "error": "THROTTLED"},
            {"endpoint": "zones/list", "latency": 0.001, "times": 3}]:
        post("/admin/faults", fault)


# Looking.

ZONE = "database=private&zone=Notes"

VIEWS = {
    "overview": "overview", "zones": "zones", "users": "users",
    "records": f"records?{ZONE}&type=Note",
    "records-all-columns": f"records?{ZONE}&type=Note&" + "&".join(
        f"column={name}" for name in [
            "title", "text", "count", "score", "due", "data", "place", "author", "others", "tags", "photo",
            "secret", "___modTime", "___createTime", "___createdBy", "___etag", "___parent"]),
    "records-found": f"records?{ZONE}&type=Note&where=title%20!%3D%20%27x%27&has=photo&sort=-count&limit=25",
    "records-none": f"records?{ZONE}&type=Note&where=title%20%3D%20%27{LONG}%27",
    "records-problem": f"records?{ZONE}&type=Note&where=title%20IS%20{LONG}",
    "records-long-type": f"records?database=private&zone={LONG}&type={LONG_TYPE}",
    "records-empty-zone": "records?database=private&zone=Empty",
    "gallery": f"records?{ZONE}&type=Note&layout=gallery",
    "record": f"record?{ZONE}&name=everything", "record-shown": f"record?{ZONE}&name=first&encrypted=shown",
    "record-long": f"record?{ZONE}&name={LONG}", "record-history": f"record?{ZONE}&name=row-1",
    "record-missing": f"record?{ZONE}&name=none", "record-share": f"record?{ZONE}&name=share",
    "found": "search?text=first", "not-found": f"search?text={LONG[1:]}",
    "edit": f"edit?{ZONE}&name=everything", "new": f"edit?{ZONE}&type=Note", "type": f"edit?{ZONE}",
    "delete": f"delete?{ZONE}&name={LONG}",
    "changes": "changes", "requests": "requests", "requests-none": "requests?search=nowhere",
    "request": "requests?number=8", "notifications": "notifications", "shares": "shares",
    "sharing": f"sharing?{ZONE}&name=share-root", "sharing-new": f"sharing?{ZONE}&name=first",
    "sharing-zone": f"sharing?database=private&zone={LONG}",
    "faults": "faults", "schema": "schema", "requests-of-form": "requests?number=7&number=8",
    "error-400": "records", "error-404": "record?database=private", "error-no-request": "requests?number=99999",
}

# On a phone, `innerWidth` grows with a page that is too wide.
CHECK = """
    const width = arguments[0];
    const wide = [...document.querySelectorAll("body *")].filter((element) => {
      if (element.closest(".scroll, pre, svg, nav, .hidden, .skip, figure.drawing, .gallery a *")) return false;
      if (!element.checkVisibility()) return false;
      const box = element.getBoundingClientRect();
      return box.width > 0 && (box.right > width + 1 || box.left < -1);
    });
    // A text that is wider than its cell is printed over the next one.
    const cells = [...document.querySelectorAll("td")].filter((cell) =>
      cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflowX === "visible");
    wide.push(...cells);
    return [document.documentElement.scrollWidth,
      wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 200))];
"""


def looks_at(browser, name, address=None):
    """Looks at a page, or the one that is there, in light with 1440 px, and in dark with 400 px."""
    if address:
        browser.get(address)
    browser.execute_script(
        "[...document.querySelectorAll('details')].slice(0, 8).forEach(details => { details.open = true; })")
    for width, scheme, rules in [(1440, "light", None), (400, "dark", RULES_OF_LOOKS)]:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(
            width=width, height=900, deviceScaleFactor=1, mobile=width < 600))
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        shot(browser, f"{name}-{width}-{scheme}")
        scroll, wide = browser.execute_script(CHECK, width)
        assert scroll <= width and not wide, (name, width, scroll, wide)
        is_accessible(browser, f"{name}, {width} px, {scheme}", rules)


def looks():
    """Every view fits into 1440 px and 400 px, and is accessible in light and in dark."""
    browser = start(1440)
    for name, view in VIEWS.items():
        looks_at(browser, name, page(view))
    # A form with a wrong value, and the response to a right one.
    for name, count in [("problem", "many"), ("saved", "5")]:
        browser.get(page(f"edit?{ZONE}&name=row-2"))
        element = browser.find_element(By.NAME, "f/count/0/text")
        element.clear()
        element.send_keys(count)
        follow(browser, By.XPATH, "//p[@class='buttons']/button[text()='Save']")
        looks_at(browser, name)
    browser.quit()


def looks_at_reports():
    """Every page of the folder fits into 1440 px and 400 px, and is accessible in light and in dark."""
    browser = start(1440)
    pages = sorted(pathlib.Path(sys.argv[1]).glob("*.html"))
    assert pages
    for file in pages:
        looks_at(browser, f"page-{file.stem}", file.absolute().as_uri())
    browser.quit()


if __name__ == "__main__":
    run([fill, looks] if sys.argv[1].startswith("http") else [looks_at_reports])
