import RecordModel

import struct Foundation.Data

/// An object in a keyed archive that stands in JSON as base64.
struct CanopyArchive {
  let node: KeyedArchiveNode
  /// The byte offset of the text.
  let offset: Int?

  /// Returns the object that a text archives.
  static func root(_ json: JSONValue) throws -> Self {
    try object(json) { try $0.top.required("root") }
  }

  /// Returns the record that a text archives, as a whole or only its system fields.
  static func record(_ json: JSONValue) throws -> Self {
    try object(json) { try $0.record() }
  }

  private static func object(
    _ json: JSONValue, _ body: (KeyedArchive) throws -> KeyedArchiveNode
  ) throws -> Self {
    let data = try Data(json: json)
    return try explaining(json.offset) {
      Self(node: try body(KeyedArchive(decoding: data)), offset: json.offset)
    }
  }

  static func recordID(_ json: JSONValue) throws -> RecordID {
    let id = try root(json).one { try $0.recordID() }
    guard !id.recordName.isEmpty else {
      throw json.error(found: "an empty name", expected: "at least one character")
    }
    return id
  }

  static func reference(_ json: JSONValue) throws -> Reference {
    try root(json).one { try $0.reference() }
  }

  func className() throws -> String? { try one { try $0.className() } }

  /// Returns what `body` reads of the object.
  func one<R>(_ body: (KeyedArchiveNode) throws -> R) throws -> R {
    try Self.explaining(offset) { try body(node) }
  }

  /// Returns what `body` reads of each element of a list.
  func list<R>(_ body: (KeyedArchiveNode) throws -> R) throws -> [R] {
    try Self.explaining(offset) { try node.elements(body) }
  }

  /// The elements of a list, or the object itself.
  func elements() throws -> [Self] {
    try Self.explaining(offset) {
      guard try node.classNames().contains("NSArray") else { return [self] }
      return try node.elements { Self(node: $0, offset: offset) }
    }
  }

  /// Runs `body`, and places its errors in the JSON.
  private static func explaining<R>(_ offset: Int?, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw RecordCodingError(
        offset: offset, found: "a keyed archive that cannot be read (\(error))",
        expected: "one as CloudKit writes it")
    }
  }
}

extension KeyedArchiveNode {
  /// Returns the identity of a `CKRecordZone`, or of a `CKRecordZoneID`.
  func zoneIDOfZone() throws -> ZoneID {
    let zoneID =
      try classNames().contains("CKRecordZone") ? try required("ZoneID").zoneID() : try zoneID()
    guard !zoneID.zoneName.isEmpty, !zoneID.ownerName.isEmpty else {
      throw RecordCodingError(
        path: path, found: "an empty name", expected: "at least one character")
    }
    return zoneID
  }
}

/// Bounds the size of the archives of a response in memory and in JSON: an archive may refer to one
/// long text from many places.
final class ArchiveBudget {
  /// The maximum size of a record in bytes; CloudKit's is 1 MB.
  private static let maxRecordSize = 16 << 20
  /// The rest for all archives of one reader, in bytes: four times the size of a file.
  private var rest = 256 << 20

  /// - Throws: ``RecordCodingError`` for a large record; ``ResponseCollector/Stop`` at the end of the
  ///   budget.
  func charge(_ record: ArchivedRecord, at json: JSONValue) throws {
    var size = record.unsupportedFieldNames.reduce(0) { $0 + 64 + $1.utf8.count }
    for field in record.fields { size += 64 + field.name.utf8.count + field.value.writtenSize }
    try charge(size, at: json)
    guard size <= Self.maxRecordSize else {
      throw json.error(
        found: "a record of \(size) bytes", expected: "at most \(Self.maxRecordSize)")
    }
  }

  /// Charges for a part of a list.
  ///
  /// - Throws: ``ResponseCollector/Stop`` at the end of the budget.
  func charge(_ size: Int, at json: JSONValue) throws {
    rest -= 512 + size
    guard rest >= 0 else {
      throw ResponseCollector.Stop(
        error: json.error(
          found: "archives with more than 256 MiB of values",
          expected: "less in one file; split it"))
    }
  }
}

extension RecordValue {
  /// About the number of bytes of the value in JSON, with the names that an archive may share.
  fileprivate var writtenSize: Int {
    if let elements { return elements.reduce(64) { $0 + 64 + $1.writtenSize } }
    return switch self {
    case .reference(let reference): reference.recordID.writtenSize
    case .asset(let asset): asset.writtenSize
    default: approximateSize * 4 / 3
    }
  }
}

extension RecordID {
  var writtenSize: Int { recordName.utf8.count + zoneID.writtenSize }
}

extension ZoneID {
  var writtenSize: Int { zoneName.utf8.count + ownerName.utf8.count }
}

extension Asset {
  fileprivate var writtenSize: Int {
    [fileChecksum, referenceChecksum, wrappingKey, receipt, downloadURL]
      .reduce(64) { $0 + ($1?.utf8.count ?? 0) }
  }
}
