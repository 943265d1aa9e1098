import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordText

extension ArchiveReport {
  /// The numbers of the report as the members of a JSON object.
  package var members: [JSONValue.Member] {
    var members = JSONMembers()
    members.add("kind", profile.kind.rawValue)
    members.add("file", fileName)
    members.add("container", profile.info.identifier)
    members.add("environment", profile.info.environment?.rawValue)
    members.add("schemaVersion", profile.info.schemaVersion)
    members.add("formatVersion", profile.formatVersion)
    members.add("bytes", profile.fileBytes)
    members.add("contentBytes", profile.contentBytes)
    members.add("whole", .bool(profile.isWhole))
    members.add("names", .bool(showsNames))
    members.add("newestChange", newest?.isoText)
    members.add("records", profile.records)
    members.add("recordBytes", profile.recordBytes)
    members.add("zones", .array(profile.zones.map { zone($0.database, $0.zoneID).value }))
    members.add("sections", .array(profile.sections.map(section)))
    members.add("types", .array(profile.types.map(\.json)))
    members.add("created", profile.created.json)
    members.add("modified", profile.modified.json)
    members.add("largest", .array(profile.largest.enumerated().map(record)))
    members.add("users", usersJSON)
    members.add("assets", profile.assets.json)
    members.add("shares", profile.shares.json)
    members.add("subscriptions", .array(profile.subscriptions.map(\.json)))
    members.add("tombstones", profile.tombstones.json)
    members.add("zoneTombstones", profile.zoneTombstones)
    return members.all
  }

  /// A zone: its number in the report, and its name if names are shown.
  private func zone(_ database: DatabaseScope, _ zoneID: ZoneID) -> JSONMembers {
    var members = JSONMembers()
    members.add("database", database.rawValue)
    members.add("zone", names.number(of: database, zoneID))
    if showsNames || ReportNames.isPublic(zoneID) { members.add("zoneID", zoneID.jsonValue()) }
    return members
  }

  private func section(_ section: ArchiveProfile.Section) -> JSONValue {
    var members = zone(section.database, section.zoneID)
    members.add("recordType", section.recordType)
    members.add("records", section.records)
    members.add("bytes", section.bytes)
    members.add("assetBytes", section.assetBytes)
    return members.value
  }

  private func record(_ number: Int, _ record: RecordSize) -> JSONValue {
    var members = zone(record.database, record.recordID.zoneID)
    members.add("recordType", record.recordType)
    if showsNames { members.add("recordName", record.recordID.recordName) }
    members.add("bytes", record.bytes)
    return members.value
  }

  private var usersJSON: JSONValue {
    var members = JSONMembers()
    members.add("count", profile.users.count)
    members.add("complete", .bool(!profile.users.hasMore))
    let most = profile.users.most(10).map { user in
      var members = JSONMembers()
      if showsNames { members.add("userRecordName", user.name) }
      members.add("created", user.created)
      members.add("modified", user.modified)
      return members.value
    }
    members.add("most", .array(most))
    return members.value
  }
}

/// The members of an object that is being made.
private struct JSONMembers {
  private(set) var all: [JSONValue.Member] = []
  var value: JSONValue { .object(all) }

  mutating func add(_ name: String, _ value: JSONValue) { all.append(.init(name, value)) }
  mutating func add(_ name: String, _ text: String?) {
    if let text { add(name, .string(text)) }
  }
  mutating func add(_ name: String, _ number: Int?) {
    if let number { add(name, .integer(number)) }
  }
}

extension TypeProfile {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("recordType", recordType)
    members.add("records", records)
    members.add("fields", .array(fields.map(\.json)))
    if otherFields > 0 { members.add("otherFields", otherFields) }
    return members.value
  }
}

extension FieldProfile {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("name", name)
    members.add("records", records)
    members.add("types", .array(kinds.map(\.json)))
    return members.value
  }
}

extension FieldProfile.Kind {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("type", typeName)
    if isEncrypted { members.add("isEncrypted", .bool(true)) }
    members.add("records", records)
    members.add("averageLength", averageLength)
    if measured > 0 { members.add("maxLength", maxLength) }
    return members.value
  }
}

extension DayCounts {
  /// The counts by day or, after many, by month.
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("unit", isByMonth ? "month" : "day")
    let counts = days.sorted { $0.key < $1.key }.map { day, count in
      let date = Date(timeIntervalSince1970: Double(day) * 86_400).isoText
      return JSONValue.object([
        .init("date", .string(String(date.prefix(isByMonth ? 7 : 10)))),
        .init("count", .integer(count)),
      ])
    }
    members.add("counts", .array(counts))
    members.add("undated", undated)
    return members.value
  }
}

extension AssetProfile {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("stored", stored)
    members.add("bytes", storedBytes)
    let ranges = sizes.filter { $0.count > 0 }.map { range in
      var members = JSONMembers()
      members.add("below", range.below)
      members.add("count", range.count)
      members.add("bytes", range.bytes)
      return members.value
    }
    members.add("sizes", .array(ranges))
    members.add("references", references)
    members.add("missing", missing)
    members.add("unused", unused)
    return members.value
  }
}

extension ShareCounts {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("count", count)
    let participants = parts.sorted { $0.key < $1.key }.map { part, count in
      var members = JSONMembers()
      members.add("role", part.role.rawValue)
      members.add("permission", part.permission.rawValue)
      members.add("acceptance", part.acceptance.rawValue)
      members.add("count", count)
      return members.value
    }
    members.add("participants", .array(participants))
    return members.value
  }
}

extension SubscriptionProfile {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("database", database.rawValue)
    members.add("kind", kind.rawValue)
    members.add("recordType", recordType)
    members.add("count", count)
    return members.value
  }
}

extension TombstoneCounts {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("count", count)
    let types = types.sorted { $0.key < $1.key }.map { type, count in
      var members = JSONMembers()
      if !type.string.isEmpty { members.add("recordType", type.string) }
      members.add("count", count)
      return members.value
    }
    members.add("types", .array(types))
    members.add("deleted", days.json)
    return members.value
  }
}
