"""The records of a photo library, as pyicloud expects them in responses."""

import base64

ZONE = {"zoneName": "PrimarySync", "zoneType": "REGULAR_CUSTOM_ZONE"}
# When the first photo was taken, in milliseconds since 1970.
START = 1_700_000_000_000


def text(value):
    return {"type": "STRING", "value": value}


def number(value):
    return {"type": "INT64", "value": value}


def encrypted(value):
    return {"type": "ENCRYPTED_BYTES", "value": base64.b64encode(value.encode()).decode()}


def record(record_type, name, fields):
    who = {"timestamp": START, "userRecordName": "_anna", "deviceID": "1"}
    return {
        "recordName": name,
        "recordType": record_type,
        "fields": fields,
        "pluginFields": {},
        "recordChangeTag": "1",
        "created": who,
        "modified": who,
        "deleted": False,
        "zoneID": {**ZONE, "ownerRecordName": "_anna"},
    }


def photo(index, asset=None):
    """The two records of a photo, taken a minute after the one before."""
    original = {"fileChecksum": f"c{index}", "size": 1000 + index, "wrappingKey": "AAAA"}
    master = record(
        "CPLMaster",
        f"master-{index}",
        {
            "filenameEnc": encrypted(f"IMG_{index:04}.JPG"),
            "itemType": text("public.jpeg"),
            "resOriginalFileType": text("public.jpeg"),
            "resOriginalWidth": number(4032),
            "resOriginalHeight": number(3024),
            "resOriginalFingerprint": text(f"c{index}"),
            "resOriginalRes": {"type": "ASSETID", "value": asset or original},
        },
    )
    date = {"type": "TIMESTAMP", "value": START + index * 60_000}
    reference = {"recordName": f"master-{index}", "action": "DELETE_SELF", "zoneID": ZONE}
    fields = {
        "masterRef": {"type": "REFERENCE", "value": reference},
        "assetDate": date,
        "addedDate": {"type": "TIMESTAMP", "value": date["value"] + 1_000},
        "isFavorite": number(0),
        "isHidden": number(0),
        "isDeleted": number(0),
    }
    return [master, record("CPLAsset", f"asset-{index}", fields)]


def photos(indices, asset=None):
    return [half for index in indices for half in photo(index, asset if index == 0 else None)]


def album(name, title, kind=0, parent=None):
    fields = {
        "albumNameEnc": encrypted(title),
        "albumType": number(kind),
        "sortAscending": number(1),
        "position": number(1024),
    }
    if parent:
        fields["parentId"] = text(parent)
    return record("CPLAlbumByPositionLive", name, fields)
