import Foundation
import RecordModel

/// Decoding of the field values of an archived record.
extension KeyedArchiveNode {
  /// Returns the fields of a `CKRecordValueStore` or `CKEncryptedRecordValueStore`, and the names
  /// of fields whose values are of an unsupported class.
  func fields(isEncrypted: Bool) throws -> (fields: [Field], unsupported: [String]) {
    try instance(of: "CKRecordValueStore")
    var fields: [Field] = []
    var unsupported: [String] = []
    var remainingCount = Self.maxElementCount
    try child("RecordValues")?.forEachEntry { name, node in
      guard name.utf8.count <= 255 else {
        throw KeyedArchiveError.invalidValue(
          path: node.path, found: "a field name of \(name.utf8.count) bytes",
          expected: "at most 255")
      }
      if let value = try node.recordValue(remainingCount: &remainingCount) {
        fields.append(Field(name: name, value: value, isEncrypted: isEncrypted))
      } else {
        unsupported.append(name)
      }
    }
    return (fields, unsupported)
  }

  /// Returns the value of a field; nil if the object is of an unsupported class.
  ///
  /// - Parameter remainingCount: the number of values and list elements that the record may still have.
  private func recordValue(remainingCount: inout Int) throws -> RecordValue? {
    remainingCount -= 1
    guard try classNames().contains("NSArray") else { return try scalarValue() }
    let elements = try elements(limit: max(remainingCount, 0)) { try $0.scalarValue() }
    remainingCount -= elements.count
    return RecordValue(foundationList: elements)
  }

  /// Returns a value that is not a list; nil if the object is of an unsupported class.
  func scalarValue() throws -> RecordValue? {
    switch object {
    case .string(let value): return .string(value)
    case .bool(let value): return .int64(value ? 1 : 0)
    case .integer(let value): return .int64(value)
    case .real, .float: return .double(try finite())
    case .date: return .timestamp(try date())
    case .data(let value): return .bytes(value)
    case .dictionary: return try objectValue()
    default: return nil
    }
  }

  private func objectValue() throws -> RecordValue? {
    for name in try classNames() {
      switch name {
      case "NSString": return .string(try string())
      case "NSDate": return .timestamp(try date())
      case "NSData": return .bytes(try data())
      case "CLLocation": return .location(try location())
      case "CKReference": return .reference(try reference())
      case "CKAsset": return .asset(try asset())
      default: continue
      }
    }
    return nil
  }

  /// Returns a `CLLocation`, without the properties that CloudKit does not store.
  private func location() throws -> Location {
    func member(_ name: String) throws -> Double? {
      try child("kCLLocationCodingKey\(name)")?.finite()
    }
    func coordinate(_ name: String) throws -> Double {
      try required("kCLLocationCodingKeyCoordinate\(name)").finite()
    }
    return Location(
      latitude: try coordinate("Latitude"), longitude: try coordinate("Longitude"),
      altitude: try member("Altitude"), horizontalAccuracy: try member("HorizontalAccuracy"),
      verticalAccuracy: try member("VerticalAccuracy"), course: try member("Course"),
      speed: try member("Speed"),
      timestamp: try member("Timestamp").map(Date.init(timeIntervalSinceReferenceDate:)))
  }

  /// Returns a `CKAsset` without its content.
  ///
  /// The file path is ignored: it was valid on the device that wrote the archive, and an untrusted
  /// archive must not cause files of this machine to be read.
  private func asset() throws -> Asset {
    Asset(
      size: try child("AssetSize")?.integer(), fileChecksum: try signature("AssetSignature"),
      referenceChecksum: try signature("ReferenceSignature"),
      wrappingKey: try signature("WrappedAssetKey"))
  }

  /// Returns a signature as base64. Real ones have 21 bytes; the limit keeps a long one that many
  /// assets refer to from filling memory.
  private func signature(_ key: String) throws -> String? {
    guard let node = try child(key) else { return nil }
    let bytes = try node.data()
    guard bytes.count <= 256 else {
      throw KeyedArchiveError.invalidValue(
        path: node.path, found: "\(bytes.count) bytes", expected: "at most 256")
    }
    return bytes.base64EncodedString()
  }

  private func finite() throws -> Double {
    let value = try double()
    guard value.isFinite else {
      throw KeyedArchiveError.invalidValue(
        path: path, found: "a number that is not finite", expected: "a finite number")
    }
    return value
  }
}

extension RecordValue {
  /// Creates a list from elements whose types are those of Foundation's objects; nil if one is
  /// unsupported, or they are not of one type.
  package init?(foundationList elements: [RecordValue?]) {
    guard let first = elements.first else {
      self = .emptyList
      return
    }
    let values = elements.compactMap { $0 }
    guard values.count == elements.count, let type = first?.type else { return nil }
    if let list = RecordValue(list: values, of: type) {
      self = list
      return
    }
    // `NSNumber` may have an integral value as an integer among doubles.
    let numbers = values.compactMap {
      [.int64, .double].contains($0.type) ? Double(recordValue: $0) : nil
    }
    guard numbers.count == values.count else { return nil }
    self = .doubleList(numbers)
  }
}
