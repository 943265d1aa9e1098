extension Schema {
  /// The six fields that every record type has, written or not (Apple, text-schema page).
  ///
  /// Their types are fixed. They need not be written; leaving out one that had an index drops the
  /// index. So a missing system field and one without options mean the same.
  public enum SystemField: String, Sendable, Hashable, CaseIterable {
    /// When the record was created.
    case createTime = "___createTime"
    /// Who created it; server messages call it `createdBy`, the Console `createdUserRecordName`.
    case createdBy = "___createdBy"
    /// The change tag.
    case etag = "___etag"
    /// When it was last changed.
    case modTime = "___modTime"
    /// Who changed it last.
    case modifiedBy = "___modifiedBy"
    /// The record's name; the Console and server messages call it `recordName`.
    case recordID = "___recordID"

    /// The fixed type.
    public var type: FieldType {
      switch self {
      case .createTime, .modTime: .timestamp
      case .createdBy, .modifiedBy, .recordID: .reference
      case .etag: .string
      }
    }
  }
}
