/// The identity of a record within a database: its name and its zone (`CKRecord.ID`).
///
/// ```swift
/// let chatID = RecordID(recordName: "chat-1", zoneID: zoneID)
/// let hike = RecordID(recordName: "hike")  // in the default zone
/// ```
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
  /// compare or look up, use the identifier.
  public var recordName: String { packedName.string }

  /// Calls `body` with the UTF-8 bytes of the name, which are valid during the call, without making
  /// a string.
  @inlinable
  package func withUTF8RecordName<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
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

/// A reference from one record to another (`CKRecord.Reference`).
///
/// ```swift
/// message["chat"] = Reference(recordID: chatID, action: .deleteSelf)
/// message.parent = Reference(record: chat)
/// ```
public struct Reference: Sendable, Hashable {
  /// The effect of deleting the target of a reference.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// No effect: the reference is left dangling.
    case none = "NONE"
    /// The referring record is deleted with its target.
    case deleteSelf = "DELETE_SELF"
    /// The server checks that the target exists when the reference is saved. Seen only in Web
    /// Services responses.
    case validate = "VALIDATE"
  }

  /// The target of the reference.
  public let recordID: RecordID
  /// The effect of deleting the target.
  public let action: Action
  /// The JSON members of the reference that this model has no property for.
  public let otherMembers: OtherMembers

  /// Creates a reference to a record.
  public init(recordID: RecordID, action: Action = .none, otherMembers: OtherMembers = []) {
    self.recordID = recordID
    self.action = action
    self.otherMembers = otherMembers
  }

  /// Creates a reference to a record that a database returned.
  public init(record: ResultRecord, action: Action = .none) {
    self.init(recordID: record.recordID, action: action)
  }

  /// Creates a reference to a record that is not yet saved.
  public init(record: DraftRecord, action: Action = .none) {
    self.init(recordID: record.recordID, action: action)
  }
}
