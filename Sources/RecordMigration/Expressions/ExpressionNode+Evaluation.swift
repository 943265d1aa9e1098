import Foundation
import RecordCoding
import RecordModel

extension ExpressionNode {
  func value(for record: EditableRecord) throws -> ExpressionValue {
    switch self {
    case .constant(let value): return value
    case .field(let name): return record.field(named: name).map { .value($0.value) } ?? .null
    case .system(let name): return record.value(of: name)
    case .negate(let operand, let column):
      return try Self.negated(try operand.value(for: record), column)
    case .not(let operand, let column):
      guard let truth = try Self.truth(operand.value(for: record), column) else { return .null }
      return .bool(!truth)
    case .binary(let sign, let left, let right, let column):
      return try Self.binary(sign, left, right, column, record)
    case .form(let form, let operands, let column):
      return try Self.value(of: form, operands, column, record)
    case .call(let function, let operands, let column):
      var values: [ExpressionValue] = []
      for operand in operands { values.append(try operand.value(for: record)) }
      if values.contains(.null) { return .null }
      return try function.body(
        ExpressionArguments(name: function.name, values: values, column: column, record: record))
    }
  }

  private static func value(
    of form: Form, _ operands: [ExpressionNode], _ column: Int, _ record: EditableRecord
  ) throws -> ExpressionValue {
    switch form {
    case .field: return .null
    case .has:
      if case .field(let name) = operands[0] { return .bool(record.hasField(name)) }
      return .bool(try operands[0].value(for: record) != .null)
    case .if:
      let truth = try truth(operands[0].value(for: record), column)
      return try operands[truth == true ? 1 : 2].value(for: record)
    case .coalesce:
      for operand in operands {
        let value = try operand.value(for: record)
        if value != .null { return value }
      }
      return .null
    case .list:
      var elements: [RecordValue] = []
      var size = 0
      for operand in operands {
        guard let element = try operand.value(for: record).recordValue else { continue }
        size += element.approximateSize
        try ExpressionLimits.check(size, column)
        elements.append(element)
      }
      guard let list = RecordValue(elements: elements) else {
        throw MigrationError(
          .noValue, column, "the elements of a list must have the same type and must not be lists")
      }
      return .value(list)
    }
  }

  /// Returns the value of the expression as a condition. It must be a Boolean, an integer (false if
  /// 0), or `null`, which counts as false.
  func holds(for record: EditableRecord) throws -> Bool {
    switch try value(for: record) {
    case .bool(let truth): return truth
    case .null: return false
    case .value(.int64(let number)): return number != 0
    case let other:
      throw MigrationError(.noValue, 1, "a condition must be a Boolean, but this is \(other.kind)")
    }
  }

  private static func negated(_ value: ExpressionValue, _ column: Int) throws -> ExpressionValue {
    switch value {
    case .null: return .null
    case .value(.double(let number)): return .value(.double(-number))
    case .value(.int64(let number)):
      let (result, overflow) = Int64(0).subtractingReportingOverflow(number)
      guard !overflow else { throw MigrationError(.noValue, column, "the result exceeds 64 bits") }
      return .value(.int64(result))
    default:
      throw MigrationError(.noValue, column, "'-' requires a number, but this is \(value.kind)")
    }
  }

  static func truth(_ value: ExpressionValue, _ column: Int) throws -> Bool? {
    switch value {
    case .null: return nil
    case .bool(let truth): return truth
    case .value(.int64(let number)): return number != 0
    default:
      throw MigrationError(.noValue, column, "a Boolean is required, but this is \(value.kind)")
    }
  }

  private static func binary(
    _ sign: BinaryOperator, _ left: ExpressionNode, _ right: ExpressionNode, _ column: Int,
    _ record: EditableRecord
  ) throws -> ExpressionValue {
    let first = try left.value(for: record)
    switch sign {
    case .and, .or:
      // The second operand is only evaluated if needed: `has(x) and x > 0`.
      let truth = try truth(first, column) ?? false
      if truth == (sign == .or) { return .bool(truth) }
      return .bool(try self.truth(right.value(for: record), column) ?? false)
    default: break
    }
    let second = try right.value(for: record)
    switch sign {
    case .equal: return .bool(areEqual(first, second))
    case .unequal: return .bool(!areEqual(first, second))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .bool(try compare(sign, first, second, column))
    default: return try arithmetic(sign, first, second, column)
    }
  }

  static func areEqual(_ first: ExpressionValue, _ second: ExpressionValue) -> Bool {
    switch (first, second) {
    case (.value(.int64(let a)), .value(.double(let b))),
      (.value(.double(let b)), .value(.int64(let a))):
      return Int64(exactly: b) == a
    case (.value(.double(let a)), .value(.double(let b))): return a == b
    case (.bool(let truth), .value(.int64(let number))),
      (.value(.int64(let number)), .bool(let truth)):
      return number == (truth ? 1 : 0)
    default: return first == second
    }
  }

  private static func compare(
    _ sign: BinaryOperator, _ first: ExpressionValue, _ second: ExpressionValue, _ column: Int
  ) throws -> Bool {
    func test(_ order: Int) -> Bool {
      switch sign {
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      default: order >= 0
      }
    }
    func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    switch (first, second) {
    case (.null, _), (_, .null): return false
    case (.value(.int64(let a)), .value(.int64(let b))): return test(order(a, b))
    case (.value(.double(let a)), .value(.double(let b))): return test(order(a, b))
    case (.value(.int64(let a)), .value(.double(let b))): return test(compareExactly(a, b))
    case (.value(.double(let a)), .value(.int64(let b))): return test(-compareExactly(b, a))
    case (.value(.string(let a)), .value(.string(let b))): return test(compareUTF8(a, b))
    case (.value(.timestamp(let a)), .value(.timestamp(let b))): return test(order(a, b))
    default:
      throw MigrationError(
        .noValue, column, "'\(sign.rawValue)' cannot compare \(first.kind) with \(second.kind)")
    }
  }

  private static func arithmetic(
    _ sign: BinaryOperator, _ first: ExpressionValue, _ second: ExpressionValue, _ column: Int
  ) throws -> ExpressionValue {
    switch (first, second) {
    case (.null, _), (_, .null): return .null
    case (.value(.int64(let a)), .value(.int64(let b))):
      return .value(.int64(try integer(sign, a, b, column)))
    case (.value(.double(let a)), .value(.double(let b))): return try double(sign, a, b, column)
    case (.value(.int64(let a)), .value(.double(let b))):
      return try double(sign, try exact(a, column), b, column)
    case (.value(.double(let a)), .value(.int64(let b))):
      return try double(sign, a, try exact(b, column), column)
    case (.value(.string(let a)), .value(.string(let b))) where sign == .plus:
      try ExpressionLimits.check(a.utf8.count + b.utf8.count, column)
      return .value(.string(a + b))
    case (.value(.timestamp(let date)), .value(let number)) where sign == .plus || sign == .minus:
      return try shifted(date, by: number, sign, first, second, column)
    case (.value(let a), .value(let b)) where sign == .plus:
      try ExpressionLimits.check(a.approximateSize + b.approximateSize, column)
      if let first = a.elements, let second = b.elements,
        let list = RecordValue(
          elements: first + second, emptyOf: a.type?.elementType ?? b.type?.elementType)
      {
        return .value(list)
      }
      throw unfit(sign, first, second, column)
    default: throw unfit(sign, first, second, column)
    }
  }

  private static func unfit(
    _ sign: BinaryOperator, _ first: ExpressionValue, _ second: ExpressionValue, _ column: Int
  ) -> MigrationError {
    MigrationError(
      .noValue, column, "'\(sign.rawValue)' cannot be applied to \(first.kind) and \(second.kind)")
  }

  /// Adds seconds to a date or subtracts them, or returns the seconds between two dates.
  private static func shifted(
    _ date: Date, by number: RecordValue, _ sign: BinaryOperator, _ first: ExpressionValue,
    _ second: ExpressionValue, _ column: Int
  ) throws -> ExpressionValue {
    let seconds: Double
    switch number {
    case .int64(let count): seconds = Double(count)
    case .double(let count): seconds = count
    case .timestamp(let other) where sign == .minus: return .value(.double(difference(date, other)))
    default: throw unfit(sign, first, second, column)
    }
    if let shift = Decimal(number)?.timesTen(to: 3), let start = Decimal(millisecondsOf: date),
      let moved = (sign == .plus ? start + shift : start - shift).dateOfMilliseconds
    {
      return .value(.timestamp(moved))
    }
    let moved = date.addingTimeInterval(sign == .plus ? seconds : -seconds)
    guard moved.timeIntervalSinceReferenceDate.isFinite else {
      throw MigrationError(.noValue, column, "the result is not a date")
    }
    return .value(.timestamp(moved))
  }

  /// Returns the seconds between two dates, exact for whole milliseconds.
  private static func difference(_ date: Date, _ other: Date) -> Double {
    guard let end = Decimal(millisecondsOf: date), let start = Decimal(millisecondsOf: other) else {
      return date.timeIntervalSince(other)
    }
    return (end - start).timesTen(to: -3).nearestDouble ?? date.timeIntervalSince(other)
  }

  /// Returns the integer as a double, or throws if it has no exact double value.
  private static func exact(_ number: Int64, _ column: Int) throws -> Double {
    guard let exact = Double(exactly: number) else {
      throw MigrationError(.noValue, column, "the integer has no exact double value")
    }
    return exact
  }

  private static func integer(
    _ sign: BinaryOperator, _ a: Int64, _ b: Int64, _ column: Int
  ) throws -> Int64 {
    if sign == .divide || sign == .remainder, b == 0 {
      throw MigrationError(.noValue, column, "division by zero")
    }
    let (result, overflow) =
      switch sign {
      case .plus: a.addingReportingOverflow(b)
      case .minus: a.subtractingReportingOverflow(b)
      case .times: a.multipliedReportingOverflow(by: b)
      case .divide: a.dividedReportingOverflow(by: b)
      default: a.remainderReportingOverflow(dividingBy: b)
      }
    guard !overflow else { throw MigrationError(.noValue, column, "the result exceeds 64 bits") }
    return result
  }

  private static func double(
    _ sign: BinaryOperator, _ a: Double, _ b: Double, _ column: Int
  ) throws -> ExpressionValue {
    if sign == .divide || sign == .remainder, b == 0 {
      throw MigrationError(.noValue, column, "division by zero")
    }
    let result =
      switch sign {
      case .plus: a + b
      case .minus: a - b
      case .times: a * b
      case .divide: a / b
      default: a.truncatingRemainder(dividingBy: b)
      }
    guard result.isFinite else {
      throw MigrationError(.noValue, column, "the result is not finite")
    }
    return .value(.double(result))
  }
}

extension EditableRecord {
  fileprivate func value(of name: ExpressionNode.SystemName) -> ExpressionValue {
    switch name {
    case .recordName: .value(.string(recordID.recordName))
    case .recordType: .value(.string(recordType))
    case .zoneName: .value(.string(zoneID.zoneName))
    case .ownerName: .value(.string(zoneID.ownerName))
    case .database: .value(.string(database.rawValue))
    case .parent: parent.map { .value(.reference($0)) } ?? .null
    case .creationDate: .date(of: systemFields.created)
    case .creatorUserRecordID: .user(of: systemFields.created)
    case .modificationDate: .date(of: systemFields.modified)
    case .lastModifiedUserRecordID: .user(of: systemFields.modified)
    }
  }
}

extension ExpressionValue {
  fileprivate static func date(of stamp: RecordStamp?) -> ExpressionValue {
    stamp?.date.map { .value(.timestamp($0)) } ?? .null
  }

  fileprivate static func user(of stamp: RecordStamp?) -> ExpressionValue {
    stamp?.userRecordName.map { .value(.string($0)) } ?? .null
  }
}
