/// The identity of a record within a database: its name and its zone (`CKRecord.ID`).
public struct RecordID: Sendable, Hashable {
  package let packedName: CompactName
  /// The zone of the record.
  public let zoneID: ZoneID

  /// Creates an identifier, without checking it (see ``RecordLimits``).
  public init(recordName: String, zoneID: ZoneID = .default) {
    packedName = CompactName(recordName)
    self.zoneID = zoneID
  }

  package init(packedName: CompactName, zoneID: ZoneID) {
    self.packedName = packedName
    self.zoneID = zoneID
  }

  /// The name of the record, unique in its zone: 1 to 255 ASCII characters; only a user record's
  /// name may start with `_`.
  ///
  /// Identifiers keep UUIDs and the names of users as numbers, and make the string when asked. To
  /// compare or look up, use the identifier; to write or hash many names,
  /// ``withUTF8RecordName(_:)``.
  public var recordName: String { packedName.string }

  /// Calls `body` with the UTF-8 bytes of the name, which are valid during the call, without making
  /// a string.
  @inlinable
  public func withUTF8RecordName<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withUnsafeTemporaryAllocation(byteCount: 36, alignment: 8) { buffer in
      if let count = writeDigits(to: buffer) {
        return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      var text = recordName
      return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Writes a name that is kept as a number.
  ///
  /// - Parameter buffer: Memory for 36 bytes.
  /// - Returns: The number of bytes; nil for any other name.
  @usableFromInline
  func writeDigits(to buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard let digits = packedName.digits, let start = buffer.baseAddress else { return nil }
    digits.write(to: start)
    return digits.length
  }
}

extension RecordID: Comparable {
  /// Orders identifiers by zone, then by the UTF-8 bytes of the name.
  public static func < (lhs: RecordID, rhs: RecordID) -> Bool {
    if lhs.zoneID != rhs.zoneID { return lhs.zoneID < rhs.zoneID }
    return compareUTF8(lhs.recordName, rhs.recordName) < 0
  }
}

extension RecordID: CustomStringConvertible {
  /// The name in the default zone, `zone:recordName` in any other.
  public var description: String {
    zoneID == .default ? recordName : "\(zoneID):\(recordName)"
  }
}
