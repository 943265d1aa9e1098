import RecordModel

import struct Foundation.Data

/// Writes records, zones and deletions in the format of CloudKit Web Services, in a deterministic
/// order.
///
/// Records that are read back are equal to those written, and so are deletions except for their dates,
/// which the format does not contain.
///
/// The JSON of a record from a server is preserved, except for the order of members and the
/// following:
///
/// - `"deleted":false`, the zones of references and omitted types are written.
/// - Fields without values and members with the value `null` are omitted.
/// - `isEncrypted` becomes the prefix `ENCRYPTED_`, `NUMBER_INT64` becomes `INT64`, and `ownerName`
///   becomes `ownerRecordName`.
/// - Numbers in known fields are in canonical form.
/// - Of the members of a `zoneID` beside names, only `zoneType` is written there.
package struct WebServicesWriter: Sendable {
  /// The form of records, where a server's responses and a file to keep differ.
  package struct Style: Sendable {
    /// Whether records are written as the server sends them: `isEncrypted` for encrypted fields but
    /// those of bytes, the names only of the parent and the share, `pluginFields`, the types of zones,
    /// and a device for each stamp.
    ///
    /// Sources: MistKit's probe of encrypted fields; the models of pyicloud, which are of recorded
    /// responses; *CloudKit Web Services Reference* for the other types. Responses since 2020 have
    /// `zoneType` in each `zoneID`, and `2` is the device of records in responses of public databases.
    package var isServed: Bool
    /// Whether `INT64` and `DOUBLE` are written as text. Source: *CloudKit Web Services Reference*,
    /// `numbersAsStrings`.
    package var numbersAsStrings: Bool

    package init(isServed: Bool = true, numbersAsStrings: Bool = false) {
      self.isServed = isServed
      self.numbersAsStrings = numbersAsStrings
    }
  }

  private let zoneTypes: [ZoneID: RawJSON]
  private let style: Style
  /// No losses: the model is made for this dialect.
  var losses = ResponseLosses()

  /// Creates a writer.
  ///
  /// - Parameter zones: the zones whose `zoneType`, if known, is written with every identity.
  package init(zones: [RecordZone] = []) {
    self.init(zones: zones, style: Style(isServed: false))
  }

  package init(zones: [RecordZone] = [], style: Style) {
    self.style = style
    var types: [ZoneID: RawJSON] = [:]
    for zone in zones {
      if let type = zone.otherMembers[Self.zoneTypeKey] { types[zone.zoneID] = type }
    }
    zoneTypes = types
  }

  private static let zoneTypeKey = "zoneType"

  /// Returns a response with records and deleted records.
  package func page(
    records: some Sequence<ResultRecord>, tombstones: [DeletedRecord] = [],
    syncToken: String? = nil,
    continuationMarker: String? = nil
  ) throws -> Data {
    var page = Data()
    let stream = ResponseStream(self) { page.append($0) }
    for record in records { try stream.append(record) }
    for tombstone in tombstones { try stream.append(tombstone) }
    try stream.finish(syncToken: syncToken, continuationMarker: continuationMarker)
    return page
  }

  /// Returns a response that lists zones, like one of `zones/list`.
  package func page(zones: [RecordZone]) throws -> Data {
    let list = JSONValue.array(try zones.map(value(of:)))
    return JSONValue.object([.init("moreComing", .bool(false)), .init("zones", list)]).compactData
      + Data("\n".utf8)
  }

  private func value(of zone: RecordZone) throws -> JSONValue {
    var members = JSONObjectWriter()
    var others = zone.otherMembers
    members.add(
      "zoneID", try value(of: zone.zoneID, type: others[Self.zoneTypeKey] ?? zoneTypes[zone.zoneID])
    )
    others.set(Self.zoneTypeKey, to: nil)
    // Servers do not send capabilities; they are written if they differ from those of a new zone.
    if zone.capabilities != RecordZone(zoneID: zone.zoneID).capabilities {
      members.add("capabilities", try zone.jsonValue()["capabilities"])
    }
    members.add("share", try zone.share.map(value(of:)))
    try members.add(others)
    return members.value
  }

  package func value(of zoneID: ZoneID) throws -> JSONValue {
    try value(of: zoneID, type: zoneTypes[zoneID])
  }

  private func value(of zoneID: ZoneID, type: RawJSON?) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("zoneName", zoneID.zoneName)
    members.add("ownerRecordName", zoneID.ownerName)
    let served: JSONValue? = style.isServed ? .string(Self.zoneType(of: zoneID)) : nil
    members.add(Self.zoneTypeKey, try type.map { try JSONValue(raw: $0) } ?? served)
    return members.value
  }

  /// Returns the `zoneType` that a server sends with a zone's identity.
  package static func zoneType(of zoneID: ZoneID) -> String {
    zoneID.isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE"
  }

  private func value(of reference: Reference) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("recordName", reference.recordID.recordName)
    members.add("action", reference.action.rawValue)
    members.add("zoneID", try value(of: reference.recordID.zoneID))
    try members.add(reference.otherMembers)
    return members.value
  }

  private func stamp(_ stamp: RecordStamp?) -> RecordStamp? {
    guard style.isServed, var stamp, stamp.deviceID == nil else { return stamp }
    stamp.deviceID = "2"
    return stamp
  }

  private func parent(_ reference: Reference) throws -> JSONValue {
    guard style.isServed else { return try value(of: reference) }
    return .object([.init("recordName", .string(reference.recordID.recordName))])
  }

  private func share(_ reference: Reference) throws -> JSONValue {
    guard style.isServed else { return try value(of: reference) }
    return .object([
      .init("recordName", .string(reference.recordID.recordName)),
      .init("zoneID", try value(of: reference.recordID.zoneID)),
    ])
  }

  private func value(of field: Field) throws -> JSONValue {
    var members = JSONObjectWriter()
    let value =
      switch field.value {
      case .reference(let reference): try value(of: reference)
      case .referenceList(let references): JSONValue.array(try references.map(value(of:)))
      default: try field.value.content(in: .default)
      }
    let isText = style.numbersAsStrings && field.value.isNumber
    members.add("value", isText ? value.withTextForNumbers : value)
    let isFlagged = style.isServed && field.isEncrypted && !field.value.isBytes
    let type = TypeSpelling.webServicesName(of: field, hasPrefix: field.isEncrypted && !isFlagged)
    if !type.isEmpty { members.add("type", type) }
    if isFlagged { members.add("isEncrypted", .bool(true)) }
    try members.add(field.otherMembers)
    return members.value
  }
}

extension WebServicesWriter: DialectWriter {
  var tokenNames: (continuation: String, sync: String)? { ("continuationMarker", "syncToken") }

  package func element(for record: ResultRecord) throws -> JSONValue {
    let systemFields = record.systemFields
    let fields = try inside(member: "fields") {
      try record.fields.map { field in
        JSONValue.Member(field.name, try inside(member: field.name) { try value(of: field) })
      }
    }
    var members = JSONObjectWriter()
    members.add("recordName", systemFields.recordID.recordName)
    members.add("recordType", systemFields.recordType)
    members.add("fields", .object(fields))
    if style.isServed, systemFields.otherMembers["pluginFields"] == nil {
      members.add("pluginFields", .object([]))
    }
    try members.add(systemFields.otherMembers)
    members.add("recordChangeTag", systemFields.recordChangeTag)
    try members.add("created", stamp(systemFields.created))
    try members.add("modified", stamp(systemFields.modified))
    members.add("parent", try systemFields.parent.map(parent))
    members.add("share", try systemFields.share.map(share))
    members.add("deleted", .bool(false))
    members.add("zoneID", try value(of: systemFields.recordID.zoneID))
    return members.value
  }

  package func element(for tombstone: DeletedRecord) throws -> JSONValue? {
    var members = JSONObjectWriter()
    members.add("recordName", tombstone.recordID.recordName)
    members.add("recordType", tombstone.recordType)
    members.add("recordChangeTag", tombstone.recordChangeTag)
    try members.add(tombstone.otherMembers)
    members.add("deleted", .bool(true))
    members.add("zoneID", try value(of: tombstone.recordID.zoneID))
    return members.value
  }
}

extension TypeSpelling {
  /// Returns the name of the field's type in Web Services.
  fileprivate static func webServicesName(of field: Field, hasPrefix: Bool) -> String {
    let name =
      switch field.value {
      case .asset: "ASSETID"
      case .assetList: "ASSETID_LIST"
      default: field.value.typeName
      }
    return hasPrefix ? encryptedPrefix + name : name
  }
}

extension RecordValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .int64, .double, .int64List, .doubleList: true
    default: false
    }
  }

  fileprivate var isBytes: Bool {
    switch self {
    case .bytes, .bytesList: true
    default: false
    }
  }
}

extension JSONValue {
  /// The value with texts for numbers, also in a list.
  fileprivate var withTextForNumbers: JSONValue {
    switch content {
    case .number(let text): .string(text)
    case .array(let elements): .array(elements.map(\.withTextForNumbers))
    default: self
    }
  }
}
