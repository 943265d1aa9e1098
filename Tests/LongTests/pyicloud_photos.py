"""Runs pyicloud's photo library against a served container.

The indexes by which photos are listed exist on Apple's servers only: the responses to these
requests are set up as faults. All else is carried out: the zone, the state of the library, the
record with the photo, its download, changes, and an album that is made.

What Apple's sign-in gives pyicloud is replaced by a plain session and the two tokens of the served
container. Each response is validated strictly, except the numbers of photos, for which pyicloud has
no strict validation.

Usage: pyicloud_photos.py ADDRESS
"""

import datetime
import os
import sys

os.environ["PYICLOUD_CK_EXTRA"] = "forbid"

import requests
from pyicloud.common.cloudkit.client import CloudKitContainerClient
from pyicloud.common.cloudkit.models import CKModifyOperation, CKWriteRecord, CKZoneIDReq
from pyicloud.services.photos import PhotosService
from photo_responses import START, ZONE, album, number, photos, text
from pyicloud_client import PlainAdapter

PARAMETERS = {"ckAPIToken": "test", "ckWebAuthToken": "__defaultOwner__"}
DATABASE = "/database/1/com.apple.photos.cloud/production/private"
PHOTO = bytes(range(256)) * 100
COUNT = 120

ALL = "CPLAssetAndMasterByAssetDateWithoutHiddenOrDeleted"
IN_ALBUM = "CPLContainerRelationLiveByAssetDate"


class RecordingSession(requests.Session):
    """Keeps the bodies that are posted, by the end of the address."""

    def __init__(self):
        super().__init__()
        self.sent = []

    def post(self, url, data=None, json=None, **options):
        self.sent.append((url.split("?")[0].split(DATABASE)[-1], json))
        return super().post(url, data=data, json=json, **options)

    def queries(self, record_type):
        """Returns the queries for a record type, and forgets all requests."""
        found = [body for path, body in self.sent if path == "/records/query"]
        self.sent = []
        return [body for body in found if body["query"]["recordType"] == record_type]


class Photos:
    """The photo library of the served container."""

    def __init__(self, address):
        self.address = address
        self.session = RecordingSession()
        # The addresses in responses are https ones then.
        self.session.headers["X-Forwarded-Proto"] = "https"
        self.session.mount(address.replace("http://", "https://"), PlainAdapter())
        # For what a device would have saved.
        self.client = CloudKitContainerClient(
            address + DATABASE, self.session, {**PARAMETERS}, validation_extra="forbid"
        )
        self.asset = None

    def set_up(self, body, record_type, endpoint="records/query"):
        """Answers the next request for a record type."""
        fault = {
            "endpoint": endpoint,
            "zone": "PrimarySync",
            "recordType": record_type,
            "times": 1,
            "response": {"body": body},
        }
        requests.post(f"{self.address}/admin/faults", json=fault).raise_for_status()

    def set_up_count(self, count):
        body = {"batch": [{"records": [{"fields": {"itemCount": number(count)}}]}]}
        self.set_up(body, "HyperionIndexCountLookup", "internal/records/query/batch")

    def save(self, record_type, name, fields, zone_id=CKZoneIDReq(**ZONE)):
        new = CKWriteRecord(recordName=name, recordType=record_type, fields=fields)
        self.client.modify(
            operations=[CKModifyOperation(operationType="create", record=new)],
            zone_id=zone_id,
        )

    # Checks

    def check_start(self):
        operation = {"operationType": "create", "zone": {"zoneID": {"zoneName": "PrimarySync"}}}
        self.client.raw_post("/zones/modify", {"operations": [operation]})
        # pyicloud takes each zone for a library, the default zone as well.
        for zone_id in [CKZoneIDReq(**ZONE), CKZoneIDReq(zoneName="_defaultZone")]:
            self.save("CheckIndexingState", "state", {"state": text("FINISHED")}, zone_id)
        token = self.client.upload_asset(
            record_type="CPLMaster",
            field_name="resOriginalRes",
            record_name="master-0",
            data=PHOTO,
            zone_id=CKZoneIDReq(**ZONE),
        ).model_dump(mode="json", exclude_none=True)
        fields = {"resOriginalRes": {"type": "ASSETID", "value": token}}
        self.save("CPLMaster", "master-0", fields)
        found = self.client.lookup(["master-0"], zone_id=CKZoneIDReq(**ZONE)).records[0]
        self.asset = found.fields.resOriginalRes.value.model_dump(mode="json", exclude_none=True)
        self.service = PhotosService(self.address, self.session, {**PARAMETERS}, None, None)
        libraries = self.service.libraries
        assert list(libraries) == ["root", "_defaultZone"], libraries
        for library in libraries.values():
            assert library.indexing_state == "FINISHED"
        assert libraries["root"].current_sync_token, "the zone has no syncToken"

    def check_albums(self):
        pages = [
            {"records": [album("trip", "Trip to Oslo")], "continuationMarker": "more"},
            {"records": [album("folder", "Family", kind=3)], "syncToken": "token"},
            {"records": [album("home", "At home", parent="folder")]},
        ]
        for page in pages:
            self.set_up(page, "CPLAlbumByPositionLive")
        self.session.sent = []
        names = [album.fullname for album in self.service.albums]
        assert names[-3:] == ["Trip to Oslo", "Family", "Family/At home"], names
        first, second, nested = self.session.queries("CPLAlbumByPositionLive")
        assert first["zoneID"] == ZONE, first
        assert second == {**first, "continuationMarker": "more"}, second
        of_parent = {
            "comparator": "EQUALS",
            "fieldName": "parentId",
            "fieldValue": text("folder"),
        }
        assert nested["query"]["filterBy"] == [of_parent], nested

    def check_all(self):
        pages = [range(COUNT - 1, COUNT - 101, -1), range(COUNT - 101, -1, -1)]
        # pyicloud asks for the number when it starts a listing.
        for _ in range(2):
            self.set_up_count(COUNT)
        for page in pages:
            self.set_up({"records": photos(page, self.asset)}, ALL)
        assert len(self.service.all) == COUNT
        self.session.sent = []
        found = list(self.service.all)
        newest_first = range(COUNT - 1, -1, -1)
        assert [photo.id for photo in found] == [f"asset-{index}" for index in newest_first]
        assert [photo.filename for photo in found] == [
            f"IMG_{index:04}.JPG" for index in newest_first
        ]
        start = datetime.datetime.fromtimestamp(START / 1000, datetime.timezone.utc)
        for index, photo in zip(newest_first, found):
            assert photo.created == start + datetime.timedelta(minutes=index), photo.created
            assert photo.added_date == photo.created + datetime.timedelta(seconds=1)
        assert found[0].dimensions == (4032, 3024) and found[0].item_type == "image"
        assert found[0].size == 1000 + COUNT - 1 and found[-1].size == len(PHOTO)
        first, second = self.session.queries(ALL)
        assert first["resultsLimit"] == 200 and first["zoneID"] == ZONE, first
        for request, rank in [(first, COUNT - 1), (second, COUNT - 101)]:
            values = {
                part["fieldName"]: part["fieldValue"] for part in request["query"]["filterBy"]
            }
            assert values == {"direction": text("DESCENDING"), "startRank": number(rank)}, values
        self.oldest = found[-1]

    def check_download(self):
        resource = self.oldest.resources["original"]
        assert resource.filename == "IMG_0000.JPG" and resource.size == len(PHOTO), resource
        assert self.oldest.download() == PHOTO

    def check_album(self):
        self.set_up_count(2)
        self.set_up({"records": photos([3, 5])}, IN_ALBUM)
        trip = self.service.albums["Trip to Oslo"]
        assert len(trip) == 2
        self.session.sent = []
        assert [photo.filename for photo in trip] == ["IMG_0003.JPG", "IMG_0005.JPG"]
        (request,) = self.session.queries(IN_ALBUM)
        parents = [
            part["fieldValue"]["value"]
            for part in request["query"]["filterBy"]
            if part["fieldName"] == "parentId"
        ]
        assert parents == ["trip"], request

    def check_changes(self):
        events = list(self.service.iter_changes())
        assert sorted(event.record_name for event in events) == ["master-0", "state"], events
        cursor = self.service.sync_cursor()
        made = self.service.create_album("Summer")
        assert made.name == "Summer", made
        (event,) = self.service.iter_changes(since=cursor)
        assert event.record_name == made.id and event.record_type == "CPLAlbum", event

    def check_responses(self):
        faults = requests.get(f"{self.address}/admin/faults").json()["faults"]
        assert len(faults) == 9, faults
        assert all(fault["times"] == 0 and fault["count"] == 1 for fault in faults), faults


def main():
    library = Photos(sys.argv[1])
    for check in [
        library.check_start,
        library.check_albums,
        library.check_all,
        library.check_download,
        library.check_album,
        library.check_changes,
        library.check_responses,
    ]:
        check()
        print(f"{check.__name__}: ok")


if __name__ == "__main__":
    main()
