/// Why bytes are not the system fields of a record.
///
/// Bytes that are a keyed archive, but not a sound one, give a ``KeyedArchiveError`` instead.
public enum SystemFieldsError: Error, Hashable, Sendable {
  /// Neither RecordPack's encoding nor a keyed archive. `found` describes the first bytes.
  case foreign(found: String)
  /// Written by a later RecordPack.
  case newerVersion(found: Int, known: Int)
  /// The bytes end too early, or go on after their end.
  case wrongLength(found: Int, expected: Int)
  /// The bytes were changed after they had been written.
  case wrongChecksum(found: UInt32, expected: UInt32)
  /// The checksum is right, but the content is not what any RecordPack writes.
  case malformed(byteOffset: Int, found: String, expected: String)
}

extension SystemFieldsError: CustomStringConvertible {
  /// The error in one sentence, with what was found, and what was expected.
  public var description: String {
    switch self {
    case .foreign(let found):
      "not system fields: found \(found), expected RecordPack's own (\"RPSF\") "
        + "or a keyed archive (\"bplist00\")"
    case .newerVersion(let found, let known):
      "system fields of version \(found): this RecordPack knows up to \(known); update it"
    case .wrongLength(let found, let expected):
      "damaged system fields: found \(found) bytes, expected \(expected)"
    case .wrongChecksum(let found, let expected):
      "damaged system fields: the checksum is \(String(found, radix: 16)), "
        + "expected \(String(expected, radix: 16))"
    case .malformed(let offset, let found, let expected):
      "malformed system fields at byte \(offset): found \(found), expected \(expected)"
    }
  }
}
