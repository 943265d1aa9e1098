import Foundation
import RecordModel

/// Reading the values of an archived record.
extension KeyedArchiveNode {
  /// The fields of a `CKRecordValueStore` or `CKEncryptedRecordValueStore`, and the names of those
  /// whose values are of a class that no field can hold.
  func fields(isEncrypted: Bool) throws -> (fields: [Field], unread: [String]) {
    try instance(of: "CKRecordValueStore")
    var fields: [Field] = []
    var unread: [String] = []
    var room = Self.maximumElementCount
    try child("RecordValues")?.forEachEntry { name, node in
      guard name.utf8.count <= 255 else {
        throw KeyedArchiveError.invalidValue(
          path: node.path, found: "a field name of \(name.utf8.count) bytes",
          expected: "at most 255")
      }
      if let value = try node.recordValue(room: &room) {
        fields.append(Field(name: name, value: value, isEncrypted: isEncrypted))
      } else {
        unread.append(name)
      }
    }
    return (fields, unread)
  }

  /// The value of a field; `nil` where the object is of a class that no field can hold.
  ///
  /// - Parameter room: how many more list elements the record may have.
  private func recordValue(room: inout Int) throws -> RecordValue? {
    room -= 1
    guard try classNames().contains("NSArray") else { return try scalarValue() }
    let elements = try elements(limit: max(room, 0)) { try $0.scalarValue() }
    room -= elements.count
    return list(of: elements)
  }

  private func list(of elements: [RecordValue?]) -> RecordValue? {
    guard let first = elements.first else { return .emptyList }
    let values = elements.compactMap { $0 }
    guard values.count == elements.count, let type = first?.type else { return nil }
    if let list = RecordValue(list: values, of: type) { return list }
    // An NSNumber without a fraction may be archived as an integer among real numbers.
    let numbers = values.compactMap {
      [.int64, .double].contains($0.type) ? Double(recordValue: $0) : nil
    }
    return numbers.count == values.count ? .doubleList(numbers) : nil
  }

  private func scalarValue() throws -> RecordValue? {
    switch object {
    case .string(let value): return .string(value)
    case .bool(let value): return .int64(value ? 1 : 0)
    case .integer(let value): return .int64(value)
    case .real, .float: return .double(try finite())
    case .date: return .timestamp(Date(timeIntervalSinceReferenceDate: try date()))
    case .data(let value): return .bytes(value)
    case .dictionary: return try objectValue()
    default: return nil
    }
  }

  private func objectValue() throws -> RecordValue? {
    for name in try classNames() {
      switch name {
      case "NSString": return .string(try string())
      case "NSDate": return .timestamp(Date(timeIntervalSinceReferenceDate: try date()))
      case "NSData": return .bytes(try data())
      case "CLLocation": return .location(try location())
      case "CKReference": return .reference(try reference())
      case "CKAsset": return .asset(try asset())
      default: continue
      }
    }
    return nil
  }

  /// A `CLLocation`. The members that CloudKit does not store are left where they are.
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

  /// A `CKAsset` without its content.
  ///
  /// The path of its file is not followed: it was true on the device that wrote the archive, and
  /// an archive from elsewhere must not name files of this machine to be read.
  private func asset() throws -> Asset {
    Asset(
      size: try integer(forKey: "AssetSize"), fileChecksum: try signature("AssetSignature"),
      referenceChecksum: try signature("ReferenceSignature"),
      wrappingKey: try signature("WrappedAssetKey"))
  }

  /// A few bytes as base64. Real ones are 21 bytes long; long ones that many assets refer to would
  /// fill the memory.
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
        path: path, found: "a number that is infinite or not a number",
        expected: "a finite number")
    }
    return value
  }
}
