import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

extension ArchiveReport {
  /// The numbers of the report as a JSON object.
  package var json: JSONValue {
    [
      "kind": profile.kind.rawValue, "file": fileName, "container": profile.info.identifier,
      "environment": profile.info.environment?.rawValue,
      "schemaVersion": profile.info.schemaVersion, "formatVersion": profile.formatVersion,
      "bytes": profile.fileBytes, "contentBytes": profile.contentBytes, "whole": profile.isWhole,
      "names": showsNames, "newestChange": newest?.isoText, "records": profile.records,
      "recordBytes": profile.recordBytes,
      "zones": profile.zones.map { zone($0.database, $0.zoneID) },
      "sections": profile.sections.map(section), "types": profile.types.map(\.json),
      "created": profile.created.json, "modified": profile.modified.json,
      "largest": profile.largest.map(record), "users": users(profile.users),
      "assets": profile.assets.json, "shares": profile.shares.json,
      "subscriptions": profile.subscriptions.map(\.json), "tombstones": profile.tombstones.json,
      "zoneTombstones": profile.zoneTombstones,
    ]
  }

  /// A zone: its number in the report, and its name if names are shown.
  private func zone(_ database: DatabaseScope, _ zoneID: ZoneID) -> JSONValue {
    [
      "database": database.rawValue, "zone": names.number(of: database, zoneID),
      "zoneID": showsNames || ReportNames.isPublic(zoneID) ? zoneID.jsonValue() : nil,
    ]
  }

  private func section(_ section: ArchiveProfile.Section) -> JSONValue {
    zone(section.database, section.zoneID).adding([
      "recordType": section.recordType, "entity": section.entity, "records": section.records,
      "bytes": section.bytes,
      "assetBytes": section.assetBytes,
    ])
  }

  private func record(_ record: RecordSize) -> JSONValue {
    zone(record.database, record.recordID.zoneID).adding([
      "recordType": record.recordType, "entity": record.entity,
      "recordName": showsNames ? record.recordID.recordName : nil, "bytes": record.bytes,
    ])
  }

  private func users(_ users: UserCounts) -> JSONValue {
    let most = users.most(10).map { user -> JSONValue in
      [
        "userRecordName": showsNames ? user.name : nil, "created": user.created,
        "modified": user.modified,
      ]
    }
    return ["count": users.count, "complete": !users.hasMore, "most": most]
  }
}

extension RecordCensus.TypeCount {
  fileprivate var json: JSONValue {
    [
      "recordType": recordType, "entity": entity, "records": records.records,
      "fields": fieldsByName.map { name, kinds -> JSONValue in
        [
          "name": name, "records": kinds.reduce(0) { $0 + $1.count.records },
          "types": kinds.mostFrequentFirst.map(\.json),
        ]
      },
    ]
  }
}

extension RecordCensus.FieldCount {
  fileprivate var json: JSONValue {
    [
      "type": kind.typeName, "isEncrypted": kind.isEncrypted ? true : nil,
      "records": count.records, "averageLength": averageLength,
      "maxLength": lengths.count > 0 ? lengths.max : nil,
    ]
  }
}

extension DayCounts {
  /// The counts by day or, after many, by month.
  fileprivate var json: JSONValue {
    let counts = days.sorted { $0.key < $1.key }.map { day, count -> JSONValue in
      let date = Date(timeIntervalSince1970: Double(day) * 86_400).isoText
      return ["date": String(date.prefix(isByMonth ? 7 : 10)), "count": count]
    }
    return ["unit": isByMonth ? "month" : "day", "counts": counts, "undated": undated]
  }
}

extension AssetProfile {
  fileprivate var json: JSONValue {
    let ranges = sizes.filter { $0.count > 0 }.map { range -> JSONValue in
      ["below": range.below, "count": range.count, "bytes": range.bytes]
    }
    return [
      "stored": stored, "bytes": storedBytes, "sizes": ranges, "references": references,
      "missing": missing, "unused": unused,
    ]
  }
}

extension ShareCounts {
  fileprivate var json: JSONValue {
    let participants = parts.sorted { $0.key < $1.key }.map { part, count -> JSONValue in
      [
        "role": part.role.rawValue, "permission": part.permission.rawValue,
        "acceptance": part.acceptance.rawValue, "count": count,
      ]
    }
    return ["count": count, "participants": participants]
  }
}

extension SubscriptionProfile {
  fileprivate var json: JSONValue {
    [
      "database": database.rawValue, "kind": kind.rawValue, "recordType": recordType,
      "count": count,
    ]
  }
}

extension TombstoneCounts {
  fileprivate var json: JSONValue {
    let types = types.sorted { $0.key < $1.key }.map { type, count -> JSONValue in
      ["recordType": type.string.isEmpty ? nil : type.string, "count": count]
    }
    return ["count": count, "types": types, "deleted": days.json]
  }
}
