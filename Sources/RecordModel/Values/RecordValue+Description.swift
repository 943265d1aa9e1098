import struct Foundation.Date

extension RecordValue: CustomStringConvertible {
  /// The value as text, without the encryption keys of assets. The JSON of an unknown type, which
  /// may contain one, is omitted.
  public var description: String {
    switch self {
    case .string(let value): value.debugDescription
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .timestamp(let value): value.safeDescription
    case .bytes(let value): "\(value)"
    case .location(let value): "\(value)"
    case .reference(let value): "\(value.recordID)"
    case .asset(let value): "\(value)"
    case .stringList(let values): "\(values)"
    case .int64List(let values): "\(values)"
    case .doubleList(let values): "\(values)"
    case .timestampList(let values): Self.list(values.map(\.safeDescription))
    case .bytesList(let values): "\(values)"
    case .locationList(let values): "\(values)"
    case .referenceList(let values): Self.list(values.map { "\($0.recordID)" })
    case .assetList(let values): "\(values)"
    case .emptyList: "[]"
    case .unknown(let type, _): "a value of the type \(type.debugDescription)"
    }
  }

  private static func list(_ texts: [String]) -> String { "[\(texts.joined(separator: ", "))]" }
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

extension Date {
  /// The description; for a date that Foundation cannot describe, its seconds.
  fileprivate var safeDescription: String {
    let seconds = timeIntervalSinceReferenceDate
    return abs(seconds) < 1e11 ? description : "\(seconds) s since 2001"
  }
}
