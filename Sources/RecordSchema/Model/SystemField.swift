extension CloudSchema {
  /// The six fields that every record type has (Apple, text-schema page).
  ///
  /// Their types are fixed, and they may be omitted. Omitting one that had an index drops the
  /// index, so an omitted system field is equivalent to one without options.
  public enum SystemField: String, Sendable, Hashable, CaseIterable {
    /// The creation date of the record.
    case createTime = "___createTime"
    /// The creator of the record. Server messages call it `createdBy`, the Console
    /// `createdUserRecordName`.
    case createdBy = "___createdBy"
    /// The change tag.
    case etag = "___etag"
    /// The last modification date of the record.
    case modTime = "___modTime"
    /// The user who last modified the record.
    case modifiedBy = "___modifiedBy"
    /// The record's name. The Console and server messages call it `recordName`.
    case recordID = "___recordID"

    /// The fixed type of the field.
    public var type: FieldType {
      switch self {
      case .createTime, .modTime: .timestamp
      case .createdBy, .modifiedBy, .recordID: .reference
      case .etag: .string
      }
    }
  }
}
