import Foundation
import RecordMigration
import RecordModel

/// Expressions, one a line, computed for each sample.
struct ExpressionsTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    for line in input.split(separator: UInt8(ascii: "\n")) {
      guard let expression = try? RecordExpression(String(decoding: line, as: UTF8.self)) else {
        continue
      }
      _ = expression.fieldNames
      for record in Samples.records {
        guard let value = try? expression.value(for: record) else { continue }
        let again = requireNoError("computing an expression again") {
          try expression.value(for: record)
        }
        require("\(again)" == "\(value)", "an expression has two values")
        _ = value.recordValue
      }
    }
  }
}
