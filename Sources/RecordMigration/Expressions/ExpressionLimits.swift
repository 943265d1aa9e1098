import RecordModel

/// The maximum size of a computed value: the maximum size of a CloudKit record.
enum ExpressionLimits {
  /// The maximum number of bytes.
  static let maximumSize = RecordLimits.cloudKit.recordSize

  static func check(_ size: Int, _ column: Int) throws {
    guard size <= maximumSize else { throw ExpressionFailure(column, tooLarge) }
  }

  /// The message for a value that would be larger.
  static let tooLarge =
    "the result would have more than \(maximumSize) bytes, the maximum size of a CloudKit record"
}
