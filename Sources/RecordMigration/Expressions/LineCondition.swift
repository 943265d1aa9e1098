import RecordCoding

/// Finds record lines of a bundle for which an expression does not hold, without creating records.
/// For one thread.
package final class LineCondition {
  private let root: ExpressionNode
  private let record = EditableRecord()

  package init(_ expression: RecordExpression) {
    // Parsed again: threads that refer to the same objects slow each other down.
    root = (try? RecordExpression(expression.source))?.root ?? expression.root
  }

  /// Whether the expression may hold for the record of a line. False is certain.
  package func mayHold(
    _ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader
  ) -> Bool {
    guard reader.load(record, from: line) else { return true }
    record.begin()
    return (try? root.holds(for: record)) ?? true
  }
}
