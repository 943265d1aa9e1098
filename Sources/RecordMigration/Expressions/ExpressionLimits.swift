import RecordModel

/// How large a value may be that is computed: no larger than a record of CloudKit.
enum ExpressionLimits {
  /// The most bytes.
  static let maximumSize = RecordLimits.cloudKit.recordSize

  static func check(_ size: Int, _ column: Int) throws {
    guard size <= maximumSize else { throw ExpressionFailure(column, tooLarge) }
  }

  /// What messages say of a value that would be larger.
  static let tooLarge =
    "the result would have more than \(maximumSize) bytes, which is all a record of CloudKit takes"
}
