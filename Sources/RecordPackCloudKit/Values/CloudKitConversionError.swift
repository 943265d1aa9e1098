#if canImport(CloudKit)
  import RecordModel

  import protocol Foundation.LocalizedError

  /// A value that CloudKit's framework has and RecordPack does not, or the other way round.
  public struct CloudKitConversionError: Error, Sendable, Hashable {
    /// The record with the value; nil for a value outside of a record.
    public var recordID: RecordID?
    /// The name of the field; nil if the error is about the whole record.
    public var fieldName: String?
    /// What was found; never the value of a field.
    public var found: String
    /// What was expected.
    public var expected: String

    init(
      _ found: String, expected: String, recordID: RecordID? = nil, fieldName: String? = nil
    ) {
      self.recordID = recordID
      self.fieldName = fieldName
      self.found = found
      self.expected = expected
    }
  }

  extension CloudKitConversionError: CustomStringConvertible, LocalizedError {
    /// The record, the field, what was found and what was expected.
    public var description: String {
      let place = [recordID.map { "record \($0)" }, fieldName.map { "field '\($0)'" }]
        .compactMap(\.self).joined(separator: ", ")
      return (place.isEmpty ? "" : place + ": ") + "found \(found), expected \(expected)"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
  }
#endif
