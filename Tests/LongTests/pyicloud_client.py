"""Runs pyicloud's CloudKit client against a served container.

pyicloud was written for Apple's servers. Each response is validated strictly: a member that
pyicloud's models of recorded responses do not have is an error, except those that Apple's
responses are known to have (`without_newer_members`).

Usage: pyicloud_client.py ADDRESS
"""

import sys

import requests
from pyicloud.common.cloudkit.client import CloudKitApiError, CloudKitContainerClient
from pyicloud.common.cloudkit.models import (
    CKDatabaseChangesResponse,
    CKModifyOperation,
    CKQueryFilterBy,
    CKQueryObject,
    CKQuerySortBy,
    CKWriteRecord,
    CKZoneChangesZoneReq,
    CKZoneID,
    CKZoneIDReq,
    CKZoneListResponse,
)

ZONE = CKZoneIDReq(zoneName="Notes")


def without_newer_members(model, response):
    """Returns a response without the members that Apple sends and pyicloud's models do not have."""
    response = dict(response)
    zones = [dict(zone) for zone in response.get("zones", [])]
    if model is CKZoneListResponse:
        response = {}
    if model is CKDatabaseChangesResponse:
        for zone in zones:
            zone.pop("syncToken", None)
    for zone in zones:
        for record in zone.get("records", []):
            if record.get("deleted"):
                record.pop("recordChangeTag", None)
                if record.get("recordType") is None:
                    record.pop("recordType", None)
    return response | ({"zones": zones} if zones else {})


def validate_response(client, model, response, validate=CloudKitContainerClient._validate_response):
    """Validates the members that pyicloud's models have, even if pyicloud makes the client itself."""
    return validate(client, model, without_newer_members(model, response))


CloudKitContainerClient._validate_response = validate_response


class PlainAdapter(requests.adapters.HTTPAdapter):
    """Sends requests for https addresses without TLS: pyicloud uploads to no others."""

    def send(self, request, **options):
        request.url = request.url.replace("https://", "http://", 1)
        return super().send(request, **options)


def make_client(address, user="__defaultOwner__"):
    session = requests.Session()
    # The addresses in responses are https ones then.
    session.headers["X-Forwarded-Proto"] = "https"
    session.mount(address.replace("http://", "https://"), PlainAdapter())
    return CloudKitContainerClient(
        f"{address}/database/1/iCloud.com.example.notes/development/private",
        session,
        {"ckAPIToken": "test", "ckWebAuthToken": user, "getCurrentSyncToken": True},
        validation_extra="forbid",
        bool_param_style="lower",
    )


def write(kind, name, fields=None, tag=None, **more):
    record = CKWriteRecord(
        recordName=name, recordType="Note", fields=fields or {}, recordChangeTag=tag, **more
    )
    return CKModifyOperation(operationType=kind, record=record)


def text(value):
    return {"type": "STRING", "value": value}


def number(value):
    return {"type": "INT64", "value": value}


def names(records):
    return [record.recordName for record in records]


def check_zones(client):
    made = client.raw_post(
        "/zones/modify",
        {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Notes"}}}]},
    )
    assert made["zones"][0]["zoneID"]["zoneName"] == "Notes", made
    zones = client.zones_list().zones
    assert [zone.zoneID.zoneName for zone in zones] == ["Notes", "_defaultZone"], zones
    changes = client.database_changes()
    assert [zone.zoneID.zoneName for zone in changes.zones] == ["Notes"], changes
    assert client.database_changes(sync_token=changes.syncToken).zones == []


def check_modify(client):
    operations = [
        write("create", f"n{index}", {"title": text(f"Note {index}"), "order": number(index)})
        for index in range(5)
    ]
    made = client.modify(operations=operations, zone_id=ZONE)
    assert names(made.records) == [f"n{index}" for index in range(5)], made
    tag = made.records[0].recordChangeTag
    changed = client.modify(
        operations=[write("update", "n0", {"title": text("New")}, tag)], zone_id=ZONE
    )
    assert changed.records[0].fields.title.value == "New"
    assert changed.records[0].fields.order.value == 0
    try:
        client.modify(
            operations=[write("update", "n0", {"title": text("Late")}, tag)], zone_id=ZONE
        )
        raise AssertionError("the late update was not refused")
    except CloudKitApiError as error:
        assert "CONFLICT" in str(error), error
    every = {
        "titleEncrypted": {"type": "STRING", "value": "secret", "isEncrypted": True},
        "data": {"type": "BYTES", "value": "AAEC"},
        "date": {"type": "TIMESTAMP", "value": 1700000000000},
        "size": {"type": "DOUBLE", "value": 1.5},
        "tags": {"type": "STRING_LIST", "value": ["a", "b"]},
        "counts": {"type": "INT64_LIST", "value": [1, 2]},
        "other": {"type": "REFERENCE", "value": {"recordName": "n1", "action": "NONE"}},
        "others": {"type": "REFERENCE_LIST", "value": [{"recordName": "n1", "action": "NONE"}]},
        "place": {"type": "LOCATION", "value": {"latitude": 1.5, "longitude": 2.5}},
    }
    operation = write("create", "all").model_dump(mode="json", exclude_none=True)
    operation["record"]["fields"] = every
    operation["record"]["parent"] = {"recordName": "n1"}
    raw = client.raw_post(
        "/records/modify",
        {"zoneID": {"zoneName": "Notes"}, "operations": [operation]},
    )
    assert raw["records"][0].get("serverErrorCode") is None, raw
    found = client.lookup(["all"], zone_id=ZONE).records[0]
    assert found.fields.titleEncrypted.value == "secret"
    assert found.fields.other.value.recordName == "n1"
    assert found.parent.recordName == "n1"


def check_lookup(client):
    found = client.lookup(["n3", "none", "n1"], zone_id=ZONE, desired_keys=["title"])
    assert names(found.records) == ["n3", "none", "n1"], found
    assert found.records[1].serverErrorCode == "NOT_FOUND"
    assert list(found.records[0].fields) == ["title"]


def check_query(client):
    query = CKQueryObject(
        recordType="Note",
        filterBy=[
            CKQueryFilterBy(comparator="GREATER_THAN", fieldName="order", fieldValue=number(0))
        ],
        sortBy=[CKQuerySortBy(fieldName="order", ascending=False)],
    )
    found, marker = [], None
    while True:
        page = client.query(query=query, zone_id=ZONE, results_limit=2, continuation=marker)
        found += names(page.records)
        marker = page.continuationMarker
        if marker is None:
            break
    assert found == ["n4", "n3", "n2", "n1"], found
    everywhere = client.query(query=query, zone_wide=True)
    assert names(everywhere.records) == found
    token = client.query_sync_token(query=query, zone_id=ZONE)
    assert token, "the query has no syncToken"


def check_changes(client):
    request = CKZoneChangesZoneReq(zoneID=CKZoneID(zoneName="Notes"))
    pages = list(client.iter_changes(zone_req=request, results_limit=2))
    assert len(pages) == 3 and not pages[-1].moreComing, pages
    seen = [name for page in pages for name in names(page.records)]
    assert sorted(seen) == ["all", "n0", "n1", "n2", "n3", "n4"], seen
    token = pages[-1].syncToken
    client.modify(operations=[write("forceDelete", "n4")], zone_id=ZONE)
    since = client.changes(
        zone_req=CKZoneChangesZoneReq(zoneID=CKZoneID(zoneName="Notes"), syncToken=token)
    )
    assert names(since.zones[0].records) == ["n4"], since
    assert since.zones[0].records[0].deleted is True
    try:
        none = CKZoneChangesZoneReq(zoneID=CKZoneID(zoneName="None"))
        client.changes(zone_req=none)
        raise AssertionError("the changes of a zone that is not there were not refused")
    except CloudKitApiError as error:
        assert "ZONE_NOT_FOUND" in str(error), error


def check_assets(client):
    data = bytes(range(256)) * 1000
    token = client.upload_asset(
        record_type="Note", field_name="photo", record_name="photo", data=data, zone_id=ZONE
    )
    value = token.model_dump(mode="json", exclude_none=True)
    client.modify(
        operations=[write("create", "photo", {"photo": {"type": "ASSETID", "value": value}})],
        zone_id=ZONE,
    )
    found = client.lookup(["photo"], zone_id=ZONE).records[0].fields.photo.value
    url = found.downloadURL.replace("${f}", "photo.jpg")
    assert found.size == len(data)
    assert client.download_asset_bytes(url) == data
    assert b"".join(client.download_asset_stream(url)) == data


def main():
    client = make_client(sys.argv[1])
    for check in [
        check_zones,
        check_modify,
        check_lookup,
        check_query,
        check_changes,
        check_assets,
    ]:
        check(client)
        print(f"{check.__name__}: ok")


if __name__ == "__main__":
    main()
