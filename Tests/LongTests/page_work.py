"""Does forty steps of a day's work with the console of a served container, and prints what each takes.

    python3 page_work.py ADDRESS DATA [--width 400] [--dark] [--keyboard] [--pictures FOLDER] [--axe]

DATA names what is served: a key of WORLDS. The server has the option --admin, and its first contents again at
the end. With --keyboard, no step uses the mouse. The table has the clicks, the keys besides letters, the letters,
the seconds, and the milliseconds for which the last page of a step was waited for.
With --pictures, each step ends with a picture; with --axe, axe-core checks the page. See page_browser.py for what
it needs.
"""

import argparse
import dataclasses
import datetime
import json
import pathlib
import re
import statistics
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request

from page_browser import is_accessible
from page_looks import CHECK, picture
from page_user import User, quoted


@dataclasses.dataclass
class World:
    """What is served, and by which names it is found."""
    # The zone and the type that have the most records.
    zone: str
    type: str
    # A type to whose records others refer, by the field; and a field of it with a text.
    parent: str
    field: str
    text: str
    # A field with a date, and one that some records lack.
    date: str
    some: str
    # What is typed to find a record whose word has an accent, and that word.
    typed: str = "orla"
    accented: str = "Órla"
    has_schema: bool = True


WORLDS = {
    "tact": World("Chats", "Message", "Chat", "chat", "title", "sentAt", "photo", "olaf", "Ólafur"),
    "chats": World("Chats", "Message", "Chat", "chat", "title", "sentAt", "photo"),
    "photos": World("PrimarySync", "CPLAsset", "CPLMaster", "masterRef", "itemType", "assetDate", "adjustmentType",
                    has_schema=False),
}

NADIA = "_nadia"


def day(*parts):
    return int(datetime.datetime(*parts, tzinfo=datetime.timezone.utc).timestamp() * 1000)


class Work:
    """The forty steps, in their order."""

    def __init__(self, address, data, user, folder):
        self.address, self.world, self.user, self.folder = address, WORLDS[data], user, folder
        with urllib.request.urlopen(address) as response:
            place = re.search(r"/page/([^/]+)/([^/]+)/overview", response.read().decode())
        # A container of responses has neither; any name leads to it.
        names = zip(place.groups(), ["iCloud.app", "development"])
        self.container, self.environment = (other if name == "-" else name for name, other in names)
        self.main = f"private/{self.world.zone}"
        self.chosen = None

    # Requests of another client.

    def ask(self, path, body, user="__defaultOwner__", database="private"):
        access = urllib.parse.urlencode({"ckAPIToken": "test", "ckWebAuthToken": user})
        target = f"{self.address}/database/1/{self.container}/{self.environment}/{database}/{path}?{access}"
        request = urllib.request.Request(target, json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def in_zone(self, path, **body):
        return self.ask(path, {"zoneID": {"zoneName": self.world.zone}, **body})

    def stored(self, name):
        found = self.in_zone("records/lookup", records=[{"recordName": name}])["records"][0]
        return {key: field["value"] for key, field in found.get("fields", {}).items()}

    def save(self, name, **fields):
        saved = self.in_zone("records/modify", operations=[{"operationType": "forceUpdate", "record": {
            "recordType": "Errand", "recordName": name, "fields": fields}}])["records"][0]
        assert "serverErrorCode" not in saved, saved

    def prepare(self):
        """Makes what no data has: errands with a field of each kind; one leads nowhere. Not a step."""
        world = self.world
        parents = self.in_zone("records/query", query={"recordType": world.parent}, resultsLimit=9)["records"]
        self.parent = next(record for record in parents if "share" not in record)
        title = str(self.parent["fields"].get(world.text, {}).get("value", ""))
        self.parent_name, self.parent_title = self.parent["recordName"], title
        reference = {"recordName": self.parent_name, "action": "NONE"}
        self.save(
            "errand-1", title={"value": "Órla's parcel"}, count={"value": 3, "type": "INT64"},
            weight={"value": 1.5, "type": "DOUBLE"}, due={"value": day(2026, 7, 1, 12, 30), "type": "TIMESTAMP"},
            code={"value": "AAEC", "type": "BYTES"}, about={"value": reference, "type": "REFERENCE"},
            place={"value": {"latitude": 60.39, "longitude": 5.32}, "type": "LOCATION"},
            tags={"value": ["red", "heavy"], "type": "STRING_LIST"},
            secret={"value": "under the mat", "type": "STRING", "isEncrypted": True})
        self.save("errand-2", title={"value": "Lost letter"}, about={
            "value": {"recordName": "nowhere", "action": "NONE"}, "type": "REFERENCE"})
        (self.folder / "photo.png").write_bytes(picture(320, 200, (220, 90, 60)))

    # The steps. Each is what a user wants.

    def opens(self):
        """Open the console, and see what the container holds."""
        self.user.browser.get(self.address)
        self.user.sees("Overview", "records", self.world.zone)

    def chooses_type(self):
        """Choose the zone of a database, and the type with the most records."""
        self.user.link(self.world.zone)
        self.user.link(self.world.type)
        self.user.sees("New record", "shown")

    def finds_accent(self):
        """Find a record by the beginning of a word, without typing its accent."""
        self.user.find(self.world.typed)
        self.user.sees(self.world.accented)

    def follows_reference(self):
        """Open a record of a table, and follow its reference."""
        world, user = self.world, self.user
        self.goes_to_type(world.type)
        user.go("//main//tbody/tr[1]/td[1]//a")
        user.go(f"//main//dt[contains(., {quoted(world.field)})]/following-sibling::dd[1]//a")
        user.sees("Fields", world.parent)

    def goes_to_type(self, type):
        self.user.view("Overview")
        self.user.go(f"//main//h2[text()='Private database']/following::a[normalize-space()={quoted(type)}]")

    def sees_relations(self):
        """See by type how many records refer to a record, and open one of them."""
        relation = f"{self.world.type}.{self.world.field}"
        self.user.sees("Relations", relation + " (")
        self.user.go(f"//main//h3[starts-with(normalize-space(), {quoted(relation)})]/following::li//a")
        self.user.sees("Fields", self.world.type)

    def sees_dangling(self):
        """See that a reference leads to no record."""
        self.user.find("lost lett")
        self.user.sees("errand-2", "nowhere", "not there")

    def shows_encrypted(self):
        """Show an encrypted value, and cover it again."""
        self.user.find("parcel")
        assert "under the mat" not in self.user.browser.page_source
        self.user.link("Show encrypted values")
        self.user.sees("under the mat")
        self.user.link("Cover encrypted values")
        assert "under the mat" not in self.user.browser.page_source

    def matches(self):
        return int(self.user.one("p.matches strong").text.replace(",", "").replace("\u202f", ""))

    def found(self):
        """The number of matches at the end of the search."""
        self.user.sees(" match")
        self.user.until(lambda: "searched" not in self.user.text())
        return self.matches()

    def completes_condition(self):
        """Filter by a suggested condition, and see the number of matches."""
        self.goes_to_type("Errand")
        self.user.focus("main [name=where]")
        self.user.type("tit")
        self.takes("title BEGINSWITH ''")
        assert self.user.one("main [name=where]").get_attribute("value") == "title BEGINSWITH ''"
        self.user.type("Lost")
        self.user.key("\ue007")
        self.user.until(lambda: "where=" in self.user.browser.current_url)
        assert self.matches() == 1, self.matches()

    def takes(self, words):
        """Takes a suggestion from the list below an input."""
        option = f"//*[@role='option'][starts-with(normalize-space(), {quoted(words)})]"
        self.user.one(option)
        if self.user.by_keyboard:
            for _ in range(20):
                self.user.key("\ue015")
                if self.user.all(option + "[@aria-selected]"):
                    break
            self.user.key("\ue007")
        else:
            self.user.press(option)

    def filters_by_date(self):
        """Filter by a date, and see how many records are newer."""
        self.goes_to_type(self.world.type)
        self.user.send("main [name=where]", f"{self.world.date} > '2000-01-31'")
        assert self.found() > 0

    def filters_by_field(self):
        """Show the records that have a field, then those that lack it."""
        user = self.user
        self.goes_to_type(self.world.type)
        total = self.matches()
        user.choose("main [name=has]", self.world.some)
        user.button("Apply")
        having = self.found()
        user.choose("main [name=has]", "any field")
        user.choose("main [name=lacks]", self.world.some)
        user.button("Apply")
        lacking = self.found()
        assert having > 0 and having + lacking == total, (having, lacking, total)

    def sorts(self):
        """Sort by a column, the newest first."""
        self.goes_to_type(self.world.type)
        heading = f"//main//thead//a[contains(., {quoted(self.world.date)})]"
        self.user.go(heading)
        self.user.go(heading)
        assert self.user.one("th[aria-sort=descending]").text.startswith(self.world.date)

    def chooses_columns(self):
        """Show another column."""
        self.user.open("Columns")
        self.user.press("main [name=column][value=___createTime]")
        self.user.button("Show these columns")
        self.user.until(lambda: "Created" in self.user.one("thead").text)

    def turns_pages(self):
        """Show 25 rows a page, and turn to the second and the third page."""
        self.user.choose("main [name=limit]", "25")
        self.user.button("Apply")
        for shown in ["1–25 shown", "26–50 shown", "51–75 shown"]:
            self.user.sees(shown)
            if shown != "51–75 shown":
                self.user.go("//main//a[starts-with(normalize-space(), 'Next page')]")

    def sees_gallery(self):
        """See the pictures of the records, and go back to the table."""
        # The responses have no contents of assets.
        self.goes_to_type(self.world.type if self.world.some == "photo" else "Errand")
        self.user.choose("main [name=has]", "photo")
        self.user.button("Apply")
        self.user.link("Gallery")
        self.user.until(lambda: self.user.browser.execute_script(
            "return [...document.querySelectorAll('main .gallery img')].some(image => image.naturalWidth > 0)"))
        self.user.link("Table")
        assert self.user.all("main table.records"), "there is no table"

    def exports(self):
        """Save the records that match as JSON, CSV and a bundle."""
        self.goes_to_type("Errand")
        self.user.open("Export")
        for title, name in [("JSON", "Errand.json"), ("CSV", "Errand.csv"), ("Bundle", "Errand.recordpack")]:
            path = self.folder / name
            path.unlink(missing_ok=True)
            self.user.press(f"//main//a[normalize-space()='{title}']")
            self.user.until(path.exists)
        assert len(json.loads((self.folder / "Errand.json").read_text())) == 2

    def reads_schema(self):
        """Read the schema of the container."""
        self.user.view("Schema")
        self.user.sees(*[self.world.type, self.world.field] if self.world.has_schema else ["has no schema"])

    def makes_record(self):
        """Make a record, with a reference that is chosen by its title."""
        user = self.user
        self.goes_to_type("Errand")
        user.link("New record")
        user.fill("main [name=name]", "errand-3")
        user.fill("main [name='f/title/0/text']", "Bread")
        # Many pictures have the same text.
        words = self.parent_title.lower() if self.world.text == "title" else self.parent_name
        user.fill("main [name='f/about/0/text']", " ".join(re.findall(r"\w+", words)) or words)
        self.takes(f"{self.parent_title}, {self.parent_name}")
        assert user.one("main [name='f/about/0/text']").get_attribute("value") == self.parent_name
        user.button("Save")
        user.sees("Saved.", "errand-3", "Bread")

    def sees_request(self):
        """See the request of the save, to copy it for curl, CloudKit JS and Swift."""
        self.user.link("Request and response")
        self.user.sees("Request", "Response", "curl", "JavaScript", "Swift")
        self.user.link("errand-3")
        self.user.sees("Fields")

    def edits_each_kind(self):
        """Change a field of each kind: text, numbers, date, place, bytes, an encrypted one."""
        user = self.user
        user.find("parcel")
        user.link("Edit")
        user.choose("main [name='f/about/0/action']", "DELETE_SELF")
        user.fill("main [name='f/code/0/text']", "AwQF")
        user.fill("main [name='f/count/0/text']", "4")
        user.set_date("main [name='f/due/0/text']", 2, 28, 2027, 9, 5)
        user.fill("main [name='f/place/0/latitude']", "59.91")
        user.fill("main [name='f/secret/0/text']", "in the shed")
        user.fill("main [name='f/title/0/text']", "Órla's two parcels")
        user.fill("main [name='f/weight/0/text']", "2.25")
        user.button("Save")
        user.sees("Saved.", "two parcels")
        fields = self.stored("errand-1")
        assert (fields["count"], fields["weight"], fields["code"]) == (4, 2.25, "AwQF"), fields
        assert fields["due"] == day(2027, 2, 28, 9, 5) and fields["secret"] == "in the shed", fields
        assert fields["place"]["latitude"] == 59.91 and fields["about"]["action"] == "DELETE_SELF", fields

    def adds_element_and_file(self):
        """Add an element to a list and a field with a picture, and see the picture."""
        user = self.user
        user.link("Edit")
        user.fill("main [name='f/tags/new/text']", "fragile")
        user.press("main button[value='add f/tags/']")
        user.press("main [name='f/tags/0/remove']")
        user.open("A field that is not here")
        user.fill("main [name=new-field]", "photo")
        user.choose("main [name=new-type]", "ASSET")
        user.button("Add the field")
        user.give("main [name='f/photo/0/file']", self.folder / "photo.png")
        user.button("Save")
        user.sees("Saved.", "fragile", "download")
        assert self.stored("errand-1")["tags"] == ["heavy", "fragile"], self.stored("errand-1")
        assert user.all("main dd img")

    def duplicates(self):
        """Duplicate a record under a name of the server's."""
        self.user.link("Duplicate")
        self.user.fill("main [name='f/title/0/text']", "Copy")
        self.user.button("Save")
        self.user.sees("Saved.", "Copy", "fragile")
        assert "errand-1" not in self.user.title()

    def solves_conflict(self):
        """Save over what another client has saved meanwhile, after seeing both."""
        user = self.user
        user.find("errand-3")
        user.link("Edit")
        user.fill("main [name='f/title/0/text']", "Bread and butter")
        self.save("errand-3", title={"value": "Cake"}, count={"value": 12, "type": "INT64"})
        user.button("Save")
        user.sees("Both versions", "Bread and butter", "Cake")
        user.button("Save over the other change")
        user.sees("Saved.", "Bread and butter")
        assert self.stored("errand-3")["count"] == 12

    def restores(self):
        """Give a record the values that it had after an earlier change."""
        self.user.sees("History")
        count = len(self.user.all("//main//button[normalize-space()='Restore']"))
        assert count > 1, f"{count} changes to restore"
        opened = "//main//details[.//button[normalize-space()='Restore']]/summary"
        if self.user.all(opened):
            self.user.press(f"({opened})[last()]")
        self.user.go("(//main//button[normalize-space()='Restore'])[last()]")
        self.user.sees("Bread")
        assert self.stored("errand-3")["title"] == "Bread", self.stored("errand-3")

    def deletes(self):
        """Delete a record, after seeing how many go with it, and undo it."""
        user = self.user
        self.save("errand-4", title={"value": "Below"}, about={
            "value": {"recordName": "errand-3", "action": "DELETE_SELF"}, "type": "REFERENCE"})
        user.link("Delete")
        user.sees("This deletes 2 Errand")
        user.button("Delete the record")
        user.sees("Deleted 2 Errand")
        assert not self.stored("errand-3") and not self.stored("errand-4")
        user.button("Undo")
        user.sees("Restored 2 records.")
        assert self.stored("errand-3")["title"] == "Bread" and self.stored("errand-4")

    def makes_zone(self):
        """Make a zone, and a record in it."""
        user = self.user
        user.view("Zones")
        user.fill("//main//form[.//button[text()='Create']]//input[@name='name']", "Cellar")
        user.button("Create")
        user.sees("Done.", "Cellar")
        user.go("//main//tr[.//a[normalize-space()='Cellar']]//a[text()='New record']")
        user.fill("main [name=type]", "Errand")
        user.button("Next")
        user.fill("main [name='f/title/0/text']", "Wine")
        user.button("Save")
        user.sees("Saved.", "Wine")

    def deletes_zone(self):
        """Delete the zone with all in it, and take it back."""
        user = self.user
        user.view("Zones")
        user.go("//main//tr[.//a[normalize-space()='Cellar']]//a[text()='Delete']")
        user.sees("This deletes the zone Cellar with 1 Errand")
        user.button("Delete the zone")
        user.sees("Deleted the zone Cellar")
        user.button("Undo")
        user.sees("Restored 1 record.")

    def acts_as_another(self):
        """Add a user, and see only what the server gives to this user."""
        user = self.user
        user.view("Users")
        user.fill("main [name=user]", NADIA)
        user.fill("main [name=givenName]", "Nadia")
        user.button("Add")
        user.sees("Done.", NADIA)
        self.acts_as(NADIA)
        user.view("Overview")
        user.sees(NADIA)
        assert "Errand" not in user.one("main").text

    def acts_as(self, name):
        self.user.view("Users")
        self.user.go(f"main button[aria-label^='Act as {name}']")

    def sees_whole(self):
        """See the whole container as this user, and only the own view again."""
        user = self.user
        user.view("Users")
        user.button("Show the whole container")
        user.view("Overview")
        user.sees("Errand", "whole container")
        user.view("Users")
        user.button("Show what this user sees")
        self.acts_as("the signed-in user")
        user.view("Overview")
        user.sees("Errand")

    def shares(self):
        """Share a record and invite a user."""
        user = self.user
        self.goes_to_type(self.world.parent)
        user.send("main [name=where]", f"recordID = '{self.parent_name}'")
        user.go("//main//tbody/tr[1]/td[1]//a")
        user.link("Share")
        user.fill("main [name=title]", "For Nadia")
        user.choose("main [name=user]", NADIA)
        user.button("Share")
        user.sees("Done.", NADIA, "PENDING")
        self.share_link = user.one("#share-link").text

    def accepts(self):
        """Accept the share as the invited user, by its link."""
        user = self.user
        self.acts_as(NADIA)
        user.view("Shares")
        user.send("main [name=link]", self.share_link)
        user.sees("You take part in the share.")
        user.view("Shares")
        user.sees("For Nadia")

    def edits_as_participant(self):
        """Change the shared record as the participant."""
        user, world = self.user, self.world
        user.view("Overview")
        user.go(f"//main//h2[text()='Shared database']/following::a[normalize-space()={quoted(world.parent)}]")
        user.go("//main//tbody/tr[1]/td[1]//a")
        user.link("Edit")
        user.fill(f"main [name='f/{world.text}/0/text']", "By Nadia")
        user.button("Save")
        user.sees("Saved.", "By Nadia")
        assert self.stored(self.parent_name)[world.text] == "By Nadia"

    def leaves(self):
        """Leave the share: its records are gone."""
        user = self.user
        user.link("Share")
        user.button("Leave the share")
        user.sees("Done.", "no shares")
        user.view("Overview")
        assert self.world.parent not in user.one("main").text
        self.acts_as("the signed-in user")

    def subscribes(self):
        """Subscribe to the changes of a type in a zone."""
        user = self.user
        user.view("Overview")
        before = self.subscriptions()
        user.press("#subscribe summary")
        user.choose("#subscribe [name=database]", "private")
        user.choose("#subscribe [name=zone]", self.world.zone)
        user.choose("#subscribe [name=type]", "Errand")
        user.button("Subscribe")
        user.sees("Subscribed.")
        self.chosen = (set(self.subscriptions()) - set(before)).pop()

    def subscriptions(self):
        return [element.get_attribute("aria-label").removeprefix("Remove ") for element in
                self.user.all("//main//button[starts-with(@aria-label, 'Remove ')]")]

    def is_notified(self):
        """See who was notified when and why, and open what has changed."""
        self.save("errand-2", title={"value": "Found letter"})
        user = self.user
        user.view("Notifications")
        entry = f"//main//details[contains(., {quoted(self.chosen)})]"
        shown = user.one(entry + "/summary").text
        assert f"update of errand-2 in {self.world.zone}, to the signed-in user" in shown and " UTC " in shown, shown
        user.press(entry + "/summary")
        user.go(entry + "//a")
        user.sees("Fields", "Found letter")

    def unsubscribes(self):
        """Remove the subscription."""
        self.user.view("Overview")
        self.user.go(f"//main//button[@aria-label='Remove {self.chosen}']")
        self.user.sees("The subscription is gone.")
        assert self.chosen not in self.subscriptions()

    def sends_again(self):
        """Find a request by a record's name, read it and send it again."""
        user = self.user
        user.view("Requests")
        user.send("main [name=search]", "errand-2")
        user.press("//main//details[contains(., 'records/modify')]/summary")
        user.go("//main//details[@open]//button[normalize-space()='Send again']")
        user.sees("The request was sent again.")

    def reads_changes(self):
        """See the last changes, with the values before and after."""
        self.user.view("Changes")
        self.user.press("(//main//summary[normalize-space()='Before and after'])[1]")
        self.user.sees("Private database", "errand-2")

    def breaks_one_user(self):
        """Let all requests of one user fail, and end that."""
        user = self.user
        user.view("Faults")
        user.choose("main [name=user]", NADIA)
        user.choose("main [name=times]", "always")
        user.go("//main//button[normalize-space()='Server error']")
        user.sees("The fault is set up.", "INTERNAL_ERROR")
        self.ask("zones/list", {})
        try:
            self.ask("zones/list", {}, NADIA)
        except urllib.error.HTTPError as error:
            assert error.code == 500, error
        else:
            raise AssertionError("the fault did not happen")
        user.go("//main//table//button[normalize-space()='Remove']")
        user.sees("The fault was removed.", "No fault is active.")
        self.ask("zones/list", {}, NADIA)

    def waits_a_day(self):
        """Set the clock to tomorrow, 9:00."""
        self.user.send("main [name=advance]", "tomorrow 9:00")
        self.user.sees("The clock was advanced.", "09:00")

    def resets(self):
        """Give the container its first contents again."""
        user = self.user
        user.view("Overview")
        user.press("//main//summary[starts-with(normalize-space(), 'Reset')]")
        user.button("Reset to the first contents")
        user.sees("first contents again")
        assert not self.stored("errand-1")

    STEPS = [
        opens, chooses_type, finds_accent, follows_reference, sees_relations, sees_dangling, shows_encrypted,
        completes_condition, filters_by_date, filters_by_field, sorts, chooses_columns, turns_pages, exports,
        reads_schema, makes_record, sees_request, edits_each_kind, adds_element_and_file, duplicates, sees_gallery,
        solves_conflict, restores, deletes, reads_changes, makes_zone, deletes_zone, acts_as_another, sees_whole, shares,
        accepts, edits_as_participant, leaves, subscribes, is_notified, unsubscribes, sends_again, breaks_one_user,
        waits_a_day, resets]


def looks(user, name, arguments):
    """Checks that a page fits its window and is accessible, and takes its picture."""
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
        user.browser.save_screenshot(str(arguments.pictures / f"{name}.png"))
    scroll, wide = user.browser.execute_script(CHECK, arguments.width)
    assert scroll <= arguments.width and not wide, (name, scroll, wide)
    if arguments.axe:
        is_accessible(user.browser, name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("data", choices=WORLDS)
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--keyboard", action="store_true")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--axe", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    user = User(arguments.width, arguments.dark, arguments.keyboard, folder)
    work = Work(arguments.address.rstrip("/"), arguments.data, user, folder)
    work.prepare()
    failures, rows = 0, []
    print(f"{'':53} clicks keys letters seconds page ms")
    for number, step in enumerate(Work.STEPS, 1):
        user.clicks = user.keys = user.letters = 0
        seen, started = "", time.time()
        try:
            step(work)
        except AssertionError as error:
            seen = str(error) or repr(error)
        except Exception:
            seen = traceback.format_exc()
        seconds = time.time() - started
        try:
            looks(user, f"{number:02}-{step.__name__}", arguments)
        except AssertionError as error:
            seen += f" {error}"
        failures += seen != ""
        page = user.browser.execute_script(
            "const [page] = performance.getEntriesByType('navigation'); return page.responseEnd - page.requestStart")
        rows.append([number, step.__name__, user.clicks, user.keys, user.letters, seconds, page, seen])
        print(f"{number:2} {step.__doc__[:50]:50} {user.clicks:6} {user.keys:4} {user.letters:7} {seconds:7.1f} "
              f"{page:7.0f} {seen or 'passed'}", flush=True)
    user.browser.quit()
    for place, title in [(2, "clicks"), (3, "keys"), (5, "seconds"), (6, "page ms")]:
        values = [row[place] for row in rows]
        print(f"{title}: {min(values):.1f} to {max(values):.1f}, median {statistics.median(values):.1f}, "
              f"together {sum(values):.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows))
    print(f"{len(rows) - failures} of {len(rows)} steps passed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
