import struct Foundation.Data
import struct Foundation.Date

/// The value of a field, of any CloudKit type.
///
/// Equality and hashing compare doubles by their bits: `-0.0` is not equal to `0.0`.
///
/// ```swift
/// for field in record.fields where !field.isEncrypted {
///   switch field.value {
///   case .string(let text): print(field.name, text)
///   case .location(let place): print(field.name, place.latitude)
///   default: print(field.name)
///   }
/// }
/// ```
public enum RecordValue: Sendable {
  /// A string.
  case string(String)
  /// A signed 64-bit integer. CloudKit has no other integer types; it stores Booleans as 0 and 1.
  case int64(Int64)
  /// A finite double.
  case double(Double)
  /// A date.
  case timestamp(Date)
  /// Bytes.
  case bytes(Data)
  /// A geographic location.
  indirect case location(Location)
  /// A reference to a record.
  indirect case reference(Reference)
  /// A file.
  indirect case asset(Asset)
  /// A list of strings.
  case stringList([String])
  /// A list of integers.
  case int64List([Int64])
  /// A list of finite doubles.
  case doubleList([Double])
  /// A list of dates.
  case timestampList([Date])
  /// A list of byte strings.
  case bytesList([Data])
  /// A list of locations.
  case locationList([Location])
  /// A list of references.
  case referenceList([Reference])
  /// A list of files.
  case assetList([Asset])
  /// An empty list whose element type the server did not send (`UNKNOWN_LIST`).
  case emptyList
  /// A value of a type that this model does not know; its JSON is kept unchanged.
  indirect case unknown(type: String, json: RawJSON)

  /// The type of the value; nil for ``unknown(type:json:)``.
  public var type: ValueType? {
    switch self {
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .timestamp: .timestamp
    case .bytes: .bytes
    case .location: .location
    case .reference: .reference
    case .asset: .asset
    case .stringList: .stringList
    case .int64List: .int64List
    case .doubleList: .doubleList
    case .timestampList: .timestampList
    case .bytesList: .bytesList
    case .locationList: .locationList
    case .referenceList: .referenceList
    case .assetList: .assetList
    case .emptyList: .emptyList
    case .unknown: nil
    }
  }

  /// The name of the type in Web Services, including unknown types.
  package var typeName: String {
    if case .unknown(let name, _) = self { return name }
    return type?.rawValue ?? ""
  }

  /// Whether the value is an asset or a list of assets.
  package var isOfAssets: Bool {
    switch self {
    case .asset, .assetList: true
    default: false
    }
  }

  /// The assets in the value; empty for values of other types.
  package var assets: [Asset] {
    switch self {
    case .asset(let asset): [asset]
    case .assetList(let assets): assets
    default: []
    }
  }

  /// Returns the value with other assets; values of other types as they are.
  package func replacingAssets(_ body: (Asset) throws -> Asset) rethrows -> RecordValue {
    switch self {
    case .asset(let asset): .asset(try body(asset))
    case .assetList(let assets): .assetList(try assets.map(body))
    default: self
    }
  }

  /// The references in the value; empty for values of other types.
  package var references: [Reference] {
    switch self {
    case .reference(let reference): [reference]
    case .referenceList(let references): references
    default: []
    }
  }
}

extension RecordValue: Hashable {
  /// Whether type and content are equal; doubles and dates by their bits, text by its Unicode
  /// scalars.
  public static func == (lhs: RecordValue, rhs: RecordValue) -> Bool {
    switch (lhs, rhs) {
    case (.string(let a), .string(let b)): a.sameScalars(as: b)
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.timestamp(let a), .timestamp(let b)): a.bits == b.bits
    case (.bytes(let a), .bytes(let b)): a == b
    case (.location(let a), .location(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    case (.asset(let a), .asset(let b)): a == b
    case (.unknown(let a, let x), .unknown(let b, let y)): a.sameScalars(as: b) && x == y
    default: lhs.type == rhs.type && lhs.type?.isList == true && lhs.elements == rhs.elements
    }
  }

  /// Hashes the type and the content.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(typeName)
    switch self {
    case .string(let value): value.hashScalars(into: &hasher)
    case .int64(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .timestamp(let value): hasher.combine(value.bits)
    case .bytes(let value): hasher.combine(value)
    case .location(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .asset(let value): hasher.combine(value)
    case .unknown(_, let json): hasher.combine(json)
    default: hasher.combine(elements)
    }
  }
}

extension Date {
  /// The bits of `timeIntervalSinceReferenceDate`, the seconds since 2001.
  package var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }

  /// The description; for a date that Foundation cannot describe, its seconds.
  fileprivate var safeDescription: String {
    let seconds = timeIntervalSinceReferenceDate
    return abs(seconds) < 1e11 ? description : "\(seconds) s since 2001"
  }
}

extension RecordValue: CustomStringConvertible {
  /// The value as text, without the encryption keys of assets. The JSON of an unknown type, which
  /// may contain one, is omitted.
  public var description: String {
    switch self {
    case .string(let value): value.escapedDescription
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .timestamp(let value): value.safeDescription
    case .bytes(let value): "\(value)"
    case .location(let value): "\(value)"
    case .reference(let value): "\(value.recordID)"
    case .asset(let value): "\(value)"
    case .unknown(let type, _): "a value of the type \(type.escapedDescription)"
    default: "[\((elements ?? []).map(\.description).joined(separator: ", "))]"
    }
  }
}

extension String {
  /// The text in quotation marks, with escapes for the marks of direction, too, which
  /// `debugDescription` leaves: they would reorder the text around the value.
  fileprivate var escapedDescription: String { debugDescription.escapingControls }

  /// The text with escapes for control characters and marks of direction.
  package var escapingControls: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControlling {
        text += scalar.spelledOut
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Location: CustomStringConvertible {
  /// The latitude and longitude.
  public var description: String { "\(latitude), \(longitude)" }
}

extension Asset: CustomStringConvertible, CustomReflectable {
  /// The digest or checksum, and the size.
  public var description: String {
    let identity = sha256.map { "SHA-256 \($0)" } ?? fileChecksum.map { "checksum \($0)" }
    let parts = [identity, size.map { "\($0) bytes" }].compactMap { $0 }
    return "Asset(\(parts.joined(separator: ", ")))"
  }

  /// The properties that open nothing: neither the encryption key, nor a receipt or URL.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "content": content as Any, "sha256": sha256 as Any, "size": size as Any,
        "fileChecksum": fileChecksum as Any, "referenceChecksum": referenceChecksum as Any,
        "otherMembers": otherMembers,
      ])
  }
}

extension RawJSON: CustomStringConvertible, CustomReflectable {
  /// The size of the text, which may contain the value of an encrypted field.
  public var description: String { "JSON of \(text.utf8.count) bytes" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The type of a field's value, with its name in Web Services.
public enum ValueType: String, Sendable, Hashable, CaseIterable {
  /// A text.
  case string = "STRING"
  /// An integer of 64 bits.
  case int64 = "INT64"
  /// A number of 64 bits with a fraction.
  case double = "DOUBLE"
  /// A date.
  case timestamp = "TIMESTAMP"
  /// Bytes, stored in the record.
  case bytes = "BYTES"
  /// A place on Earth.
  case location = "LOCATION"
  /// A link to a record.
  case reference = "REFERENCE"
  /// A file, stored beside the record.
  case asset = "ASSET"
  /// A list of texts.
  case stringList = "STRING_LIST"
  /// A list of integers.
  case int64List = "INT64_LIST"
  /// A list of numbers.
  case doubleList = "DOUBLE_LIST"
  /// A list of dates.
  case timestampList = "TIMESTAMP_LIST"
  /// A list of bytes.
  case bytesList = "BYTES_LIST"
  /// A list of places.
  case locationList = "LOCATION_LIST"
  /// A list of links to records.
  case referenceList = "REFERENCE_LIST"
  /// A list of files.
  case assetList = "ASSET_LIST"
  /// An empty list whose element type the server did not send.
  case emptyList = "UNKNOWN_LIST"

  /// Whether this is a list type.
  package var isList: Bool { elementType != nil || self == .emptyList }

  /// The type of a list's elements; nil for a scalar and for ``emptyList``.
  package var elementType: ValueType? {
    switch self {
    case .stringList: .string
    case .int64List: .int64
    case .doubleList: .double
    case .timestampList: .timestamp
    case .bytesList: .bytes
    case .locationList: .location
    case .referenceList: .reference
    case .assetList: .asset
    default: nil
    }
  }

  /// The list type whose elements are of this type; nil for a list type.
  package var listType: ValueType? {
    Self.allCases.first { $0.elementType == self }
  }
}
