import RecordModel

/// The maximum size of a computed value: the maximum size of a CloudKit record.
enum ExpressionLimits {
  /// The maximum number of bytes.
  static let maxSize = RecordLimits.cloudKit.recordSize

  static func check(_ size: Int, _ column: Int) throws {
    guard size <= maxSize else { throw ExpressionFailure(column, tooLarge) }
  }

  /// The message for a value that would be larger.
  static let tooLarge =
    "the result would have more than \(maxSize) bytes, the maximum size of a CloudKit record"
}
