import Foundation
import RecordCoding
import RecordModel
import RecordText

extension CopiedRequest {
  /// The request in Swift, with the calls of CloudKit; nil for one that it has no call for.
  ///
  /// It compiles with Apple's framework, and with `MockCloudKit` on Linux.
  var swift: String? {
    let source = SwiftSource(self)
    let operations = body?["operations"]?.elements ?? []
    switch endpoint {
    case "records/modify":
      guard !operations.isEmpty else { return nil }
      let statements = operations.compactMap(source.statements)
      return statements.count == operations.count ? source.whole(statements) : nil
    case "zones/modify":
      let statements = operations.compactMap(source.zoneStatements)
      return statements.count == operations.count ? source.whole(statements) : nil
    case "records/accept":
      let links = (body?["shortGUIDs"]?.elements ?? []).compactMap { $0["value"]?.string }
      return source.whole(
        links.map { link in
          """
          let url = URL(string: \(SwiftSource.literal("https://www.icloud.com/share/" + link)))!
          let metadata = try await container.shareMetadata(for: url)
          _ = try await container.accept(metadata)
          """
        }, usesDatabase: false)
    default: return nil
    }
  }
}

/// The source of a request with the calls of CloudKit.
private struct SwiftSource {
  private let identifier: String
  private let scope: DatabaseScope
  private let zone: JSONValue?

  init(_ request: CopiedRequest) {
    identifier = request.containerIdentifier
    scope = request.scope
    zone = request.body?["zoneID"]
  }

  /// The statements with what they need.
  func whole(_ statements: [String], usesDatabase: Bool = true) -> String {
    // Each operation has names of its own.
    let statements =
      statements.count == 1
      ? statements
      : statements.map { "do {\n  \($0.replacing("\n", with: "\n  "))\n}" }
    let database = usesDatabase ? "\nlet database = container.\(scope.rawValue)CloudDatabase" : ""
    return """
      import CloudKit

      let container = CKContainer(identifier: \(Self.literal(identifier)))\(database)
      \(statements.joined(separator: "\n\n"))

      """
  }

  // MARK: Records

  /// The statements of an operation of `records/modify`; nil for one that is not understood.
  func statements(_ operation: JSONValue) -> String? {
    guard let kind = operation["operationType"]?.string, let record = operation["record"] else {
      return nil
    }
    let name = record["recordName"]?.string
    let recordID = name.map { self.recordID($0, in: record["zoneID"]) }
    if kind.lowercased().hasSuffix("delete") {
      guard let recordID else { return nil }
      return "try await database.deleteRecord(withID: \(recordID))"
    }
    if record["recordType"]?.string == Share.recordType { return share(record) }
    var lines: [String] = []
    if kind == "create" {
      guard let type = record["recordType"]?.string else { return nil }
      let zoneID = zoneID(record["zoneID"] ?? zone)
      let identity = recordID ?? "CKRecord.ID(recordName: UUID().uuidString, zoneID: \(zoneID))"
      lines.append(
        "let record = CKRecord(recordType: \(Self.literal(type)), recordID: \(identity))")
    } else {
      guard let recordID else { return nil }
      // A record that is fetched has the change tag with which it is saved.
      lines.append("let record = try await database.record(for: \(recordID))")
    }
    guard let assignments = assignments(of: record, to: "record") else { return nil }
    lines += assignments
    if let parent = record["parent"] {
      let reference = parent["recordName"]?.string.map { name in
        "CKRecord.Reference(recordID: \(self.recordID(name, in: record["zoneID"])), action: .none)"
      }
      lines.append("record.parent = \(reference ?? "nil")")
    }
    lines.append("_ = try await database.save(record)")
    return lines.joined(separator: "\n")
  }

  /// The statements that set the fields; nil if a value has no literal.
  private func assignments(of record: JSONValue, to variable: String) -> [String]? {
    let fields = record["fields"]?.members ?? []
    let assignments = fields.compactMap { field in
      value(field.value).map { value in
        // A covered value has no type.
        let isEncrypted =
          field.value["isEncrypted"]?.bool == true || field.value.string != nil
          || field.value["type"]?.string?.hasPrefix("ENCRYPTED_") == true
        let values = isEncrypted ? ".encryptedValues" : ""
        return "\(variable)\(values)[\(Self.literal(field.name))] = \(value)"
      }
    }
    return assignments.count == fields.count ? assignments : nil
  }

  /// The statements that save a share; nil for the participants, whom the framework finds first.
  private func share(_ record: JSONValue) -> String? {
    let name = record["recordName"]?.string
    var lines: [String] = []
    let isNew = record["recordChangeTag"] == nil
    if !isNew {
      guard let name else { return nil }
      let recordID = recordID(name, in: record["zoneID"])
      lines.append("let share = try await database.record(for: \(recordID)) as! CKShare")
    } else if let root = record["forRecord"]?["recordName"]?.string {
      let recordID = recordID(root, in: record["zoneID"])
      lines.append("let root = try await database.record(for: \(recordID))")
      lines.append("let share = CKShare(rootRecord: root)")
    } else {
      lines.append("let share = CKShare(recordZoneID: \(zoneID(record["zoneID"] ?? zone)))")
    }
    guard let assignments = assignments(of: record, to: "share") else { return nil }
    lines += assignments
    let permissions = ["NONE": ".none", "READ_ONLY": ".readOnly", "READ_WRITE": ".readWrite"]
    if let text = record["publicPermission"]?.string {
      guard let permission = permissions[text] else { return nil }
      lines.append("share.publicPermission = \(permission)")
    }
    if !isNew, record["participants"] != nil {
      lines.append(
        """
        for participant in share.participants where participant.role != .owner {
          share.removeParticipant(participant)
        }
        """)
    }
    for participant in record["participants"]?.elements ?? []
    where participant["type"]?.string != "OWNER" {
      let identity = participant["userIdentity"]
      let permission = participant["permission"]?.string.flatMap { permissions[$0] } ?? ".readOnly"
      let found: String? =
        if let address = identity?["lookupInfo"]?["emailAddress"]?.string {
          "forEmailAddress: \(Self.literal(address))"
        } else if let number = identity?["lookupInfo"]?["phoneNumber"]?.string {
          "forPhoneNumber: \(Self.literal(number))"
        } else if let name = identity?["lookupInfo"]?["userRecordName"]?.string
          ?? identity?["userRecordName"]?.string
        {
          "forUserRecordID: CKRecord.ID(recordName: \(Self.literal(name)))"
        } else {
          nil
        }
      guard let found else { return nil }
      lines.append(
        """
        do {
          let participant = try await container.shareParticipant(\(found))
          participant.permission = \(permission)
          share.addParticipant(participant)
        }
        """)
    }
    let saved = isNew && record["forRecord"] != nil ? "[root, share]" : "[share]"
    lines.append("_ = try await database.modifyRecords(saving: \(saved), deleting: [])")
    return lines.joined(separator: "\n")
  }

  // MARK: Zones

  func zoneStatements(_ operation: JSONValue) -> String? {
    let zone = zoneID(operation["zone"]?["zoneID"])
    switch operation["operationType"]?.string {
    case "create": return "_ = try await database.save(CKRecordZone(zoneID: \(zone)))"
    case "delete": return "try await database.deleteRecordZone(withID: \(zone))"
    default: return nil
    }
  }

  private func zoneID(_ json: JSONValue?) -> String {
    guard let name = json?["zoneName"]?.string else { return "CKRecordZone.ID.default" }
    let owner = json?["ownerRecordName"]?.string
    let isOwn = owner == nil || owner == ZoneID.currentUserOwnerName
    let words = isOwn ? "CKCurrentUserDefaultName" : Self.literal(owner ?? "")
    return "CKRecordZone.ID(zoneName: \(Self.literal(name)), ownerName: \(words))"
  }

  /// - Parameter zoneID: the zone; nil for that of the request.
  private func recordID(_ name: String, in zoneID: JSONValue?) -> String {
    "CKRecord.ID(recordName: \(Self.literal(name)), zoneID: \(self.zoneID(zoneID ?? zone)))"
  }

  // MARK: Values

  /// The value of a field; nil for one that has no literal.
  private func value(_ field: JSONValue) -> String? {
    // Encrypted values and others that are covered.
    if field.isNull { return "nil" }
    guard var type = field["type"]?.string else {
      return field.string.map { _ in Self.literal("…") }
    }
    if type.hasPrefix("ENCRYPTED_") { type = String(type.dropFirst("ENCRYPTED_".count)) }
    guard let value = field["value"] else { return Self.literal("…") }
    guard type.hasSuffix("_LIST") else { return element(value, type) }
    let name = String(type.dropLast("_LIST".count))
    let elements = (value.elements ?? []).compactMap { element($0, name) }
    guard elements.count == value.elements?.count, let swiftType = Self.types[name] else {
      return nil
    }
    return "[\(elements.joined(separator: ", "))] as [\(swiftType)]"
  }

  private static let types = [
    "STRING": "String", "INT64": "Int64", "DOUBLE": "Double", "TIMESTAMP": "Date", "BYTES": "Data",
    "LOCATION": "CLLocation", "REFERENCE": "CKRecord.Reference", "ASSET": "CKAsset",
    "ASSETID": "CKAsset",
  ]

  private func element(_ value: JSONValue, _ type: String) -> String? {
    switch type {
    case "STRING": value.string.map(Self.literal)
    case "INT64":
      value.numberText.map { $0 == "-9223372036854775808" ? "Int64.min" : $0 + " as Int64" }
    case "DOUBLE": value.numberText.map { $0 + " as Double" }
    case "TIMESTAMP":
      value.numberText.map { "Date(timeIntervalSince1970: \($0) / 1000)" }
    case "BYTES":
      value.string.map { "Data(base64Encoded: \(Self.literal($0)))!" }
    case "LOCATION": location(value)
    case "REFERENCE":
      value["recordName"]?.string.map { name in
        let target = recordID(name, in: value["zoneID"])
        let action = value["action"]?.string == "DELETE_SELF" ? ".deleteSelf" : ".none"
        return "CKRecord.Reference(recordID: \(target), action: \(action))"
      }
    case "ASSET", "ASSETID": #"CKAsset(fileURL: URL(fileURLWithPath: "FILE"))"#
    default: nil
    }
  }

  private func location(_ value: JSONValue) -> String? {
    guard let latitude = value["latitude"]?.numberText,
      let longitude = value["longitude"]?.numberText
    else { return nil }
    let more = [
      "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed", "timestamp",
    ]
    guard more.contains(where: { value[$0] != nil }) else {
      return "CLLocation(latitude: \(latitude), longitude: \(longitude))"
    }
    func number(_ name: String, _ other: String) -> String { value[name]?.numberText ?? other }
    return """
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: \(latitude), longitude: \(longitude)),
        altitude: \(number("altitude", "0")), horizontalAccuracy: \(number("horizontalAccuracy", "0")),
        verticalAccuracy: \(number("verticalAccuracy", "-1")), course: \(number("course", "-1")),
        speed: \(number("speed", "-1")),
        timestamp: Date(timeIntervalSince1970: \(number("timestamp", "0")) / 1000))
      """
  }

  /// A literal of Swift, in which nothing is interpolated.
  static func literal(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar.isControlling && !"\n\r\t".unicodeScalars.contains(scalar)
        ? "\\u{\(String(scalar.value, radix: 16))}" : scalar.escaped()
    }
    return "\"\(escaped.joined())\""
  }
}
