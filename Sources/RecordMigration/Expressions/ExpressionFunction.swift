import Foundation
import RecordCoding
import RecordModel
import RecordSchema

/// A function of the expression language.
enum ExpressionFunction: String, Sendable, CaseIterable {
  /// `field('name')`: a field whose name is not an identifier or is a reserved word.
  case field
  /// `has(name)`: whether a value exists.
  case has
  /// `if(condition, then, else)`.
  case `if`
  /// `coalesce(a, b, …)`: the first argument that is not null.
  case coalesce
  /// `text(x)`: a number, a date (ISO 8601, UTC) or a Boolean as a string.
  case text
  /// `number(x)`: the number in a string, as an integer if possible, or the seconds of a date since
  /// 1970.
  case number
  /// `integer(x)`: a number without its fraction.
  case integer
  /// `round(x)`: the nearest integer; halves are rounded away from zero.
  case round
  /// `date(x)`: the date of an ISO 8601 string, or of a number of seconds since 1970.
  case date
  /// `lower(text)`.
  case lower
  /// `upper(text)`.
  case upper
  /// `trim(text)`: without white space at either end.
  case trim
  /// `length(x)`: the number of characters of a string, elements of a list, or bytes.
  case length
  /// `contains(x, y)`: whether a string contains another, or a list contains an element.
  case contains
  /// `starts(text, beginning)`.
  case starts
  /// `ends(text, ending)`.
  case ends
  /// `replace(text, old, new)`: replaces all occurrences.
  case replace
  /// `part(text, separator, n)`: the n-th part from 0; a negative n counts from the end.
  case part
  /// `list(a, …)`, also written `[a, …]`: a list without the nulls.
  case list
  /// `at(list, n)`: the n-th element from 0; a negative n counts from the end.
  case at
  /// `first(list)`.
  case first
  /// `name(reference)`: the name of the referenced record.
  case name
  /// `reference(name)`, `reference(name, 'DELETE_SELF')`: a reference to a record in the same zone.
  case reference

  /// The number of arguments.
  var arity: ClosedRange<Int> {
    switch self {
    case .field, .has, .text, .number, .integer, .round, .date, .lower, .upper, .trim, .length,
      .first, .name:
      1...1
    case .contains, .starts, .ends, .at: 2...2
    case .if, .replace, .part: 3...3
    case .reference: 1...2
    case .coalesce: 1...64
    case .list: 0...64
    }
  }

  /// The number of arguments as a phrase.
  var usage: String {
    let (low, high) = (arity.lowerBound, arity.upperBound)
    return low == high ? Phrase.count(low, "argument") : "\(low) to \(high) arguments"
  }

  func value(
    _ operands: [ExpressionNode], _ column: Int, _ record: EditableRecord
  ) throws -> ExpressionValue {
    switch self {
    case .if:
      let truth = try ExpressionNode.truth(operands[0].value(for: record), column)
      return try operands[truth == true ? 1 : 2].value(for: record)
    case .coalesce:
      for operand in operands {
        let value = try operand.value(for: record)
        if value != .null { return value }
      }
      return .null
    case .has:
      if case .field(let name) = operands[0] { return .bool(record.hasField(name)) }
      return .bool(try operands[0].value(for: record) != .null)
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
        throw ExpressionFailure(
          column, "the elements of a list must have the same type and must not be lists")
      }
      return .value(list)
    default: break
    }
    var values: [ExpressionValue] = []
    for operand in operands { values.append(try operand.value(for: record)) }
    if values.contains(.null) { return .null }
    return try apply(values, column, record)
  }

  private func apply(
    _ values: [ExpressionValue], _ column: Int, _ record: EditableRecord
  ) throws -> ExpressionValue {
    switch self {
    case .lower, .upper: return try cased(values, column)
    case .trim:
      let text = try string(values, 0, column).trimmingCharacters(in: .whitespacesAndNewlines)
      try ExpressionLimits.check(text.utf8.count, column)
      return .value(.string(text))
    case .starts:
      let part = try string(values, 1, column)
      return .bool(try string(values, 0, column).beginsWithScalars(of: part))
    case .ends:
      let part = try string(values, 1, column)
      return .bool(try string(values, 0, column).endsWithScalars(of: part))
    case .replace: return try replaced(values, column)
    case .part: return try part(values, column)
    case .length: return .value(.int64(Int64(try length(of: values[0], column))))
    case .contains: return .bool(try contains(values, column))
    case .at: return try element(values[0], try integer(values, 1, column), column)
    case .first: return try element(values[0], 0, column)
    case .text: return .value(.string(try text(of: values[0], column)))
    case .number, .integer, .round: return .value(try number(values[0], column))
    case .date: return .value(.timestamp(try date(values[0], column)))
    case .name:
      guard case .value(.reference(let reference)) = values[0] else {
        throw misfit(values[0], "a reference", column)
      }
      return .value(.string(reference.recordID.recordName))
    case .reference: return try reference(values, column, record)
    case .field, .has, .if, .coalesce, .list: return .null
    }
  }

  private func misfit(
    _ value: ExpressionValue, _ expected: String, _ column: Int
  ) -> ExpressionFailure {
    ExpressionFailure(column, "\(rawValue) requires \(expected), but this is \(value.kind)")
  }

  private func string(_ values: [ExpressionValue], _ index: Int, _ column: Int) throws -> String {
    guard case .value(.string(let text)) = values[index] else {
      throw misfit(values[index], "a string", column)
    }
    return text
  }

  private func integer(_ values: [ExpressionValue], _ index: Int, _ column: Int) throws -> Int {
    guard case .value(.int64(let number)) = values[index], let small = Int(exactly: number) else {
      throw misfit(values[index], "an integer", column)
    }
    return small
  }

  private func replaced(_ values: [ExpressionValue], _ column: Int) throws -> ExpressionValue {
    let text = try string(values, 0, column)
    let old = try string(values, 1, column)
    let new = try string(values, 2, column)
    guard !old.isEmpty else { return .value(.string(text)) }
    guard new.utf8.count <= max(old.utf8.count, 256) else {
      throw ExpressionFailure(column, "the replacement has more than 256 bytes")
    }
    let parts = text.separated(by: old)
    let size = parts.reduce((parts.count - 1) * new.utf8.count) { $0 + $1.utf8.count }
    try ExpressionLimits.check(size, column)
    return .value(.string(parts.joined(separator: new)))
  }

  private func cased(_ values: [ExpressionValue], _ column: Int) throws -> ExpressionValue {
    let text = try string(values, 0, column)
    try ExpressionLimits.check(text.utf8.count, column)
    let result = self == .lower ? text.lowercased() : text.uppercased()
    try ExpressionLimits.check(result.utf8.count, column)
    return .value(.string(result))
  }

  private func part(_ values: [ExpressionValue], _ column: Int) throws -> ExpressionValue {
    let text = try string(values, 0, column)
    let separator = try string(values, 1, column)
    guard !separator.isEmpty else {
      throw ExpressionFailure(column, "part requires a separator that is not empty")
    }
    let parts = text.separated(by: separator)
    guard let found = Self.element(of: parts, at: try integer(values, 2, column)) else {
      return .null
    }
    try ExpressionLimits.check(found.utf8.count, column)
    return .value(.string(found))
  }

  /// Returns an element by its index from 0, or a negative index from the end.
  private static func element<T>(of elements: [T], at number: Int) -> T? {
    let index = number < 0 ? elements.count + max(number, -elements.count - 1) : number
    return elements.indices.contains(index) ? elements[index] : nil
  }

  private func length(of value: ExpressionValue, _ column: Int) throws -> Int {
    switch value {
    case .value(.string(let text)): return text.count
    case .value(.bytes(let data)): return data.count
    case .value(let other):
      if let elements = other.elements { return elements.count }
      throw misfit(value, "a string, bytes or a list", column)
    default: throw misfit(value, "a string, bytes or a list", column)
    }
  }

  private func contains(_ values: [ExpressionValue], _ column: Int) throws -> Bool {
    if case .value(.string(let text)) = values[0] {
      let part = try string(values, 1, column)
      return part.isEmpty || LiteralSearch(part).isIn(text)
    }
    guard case .value(let list) = values[0], let elements = list.elements else {
      throw misfit(values[0], "a string or a list", column)
    }
    return elements.contains { ExpressionNode.areEqual(.value($0), values[1]) }
  }

  private func element(
    _ value: ExpressionValue, _ number: Int, _ column: Int
  ) throws -> ExpressionValue {
    guard case .value(let list) = value, let elements = list.elements else {
      throw misfit(value, "a list", column)
    }
    return Self.element(of: elements, at: number).map { .value($0) } ?? .null
  }

  private func text(of value: ExpressionValue, _ column: Int) throws -> String {
    switch value {
    case .bool(let truth): return truth ? "true" : "false"
    case .value(let inner):
      guard let text = TextForm.text(of: inner) else {
        throw misfit(value, "a string, a number, a date or a Boolean", column)
      }
      return text
    case .null: return ""
    }
  }

  private func number(_ value: ExpressionValue, _ column: Int) throws -> RecordValue {
    var result: RecordValue
    switch value {
    case .value(.string(let text)):
      guard let parsed = TextForm.number(from: text) else {
        throw ExpressionFailure(column, "the string is not a number")
      }
      result = parsed
    case .value(.int64), .value(.double): result = value.recordValue ?? .int64(0)
    case .value(.timestamp(let date)):
      result = .double(DateFormat.seconds.number(of: date) ?? date.timeIntervalSince1970)
    case .bool(let truth): result = .int64(truth ? 1 : 0)
    default: throw misfit(value, "a number, a string or a date", column)
    }
    if self != .number, case .double(let number) = result {
      let whole = number.rounded(self == .round ? .toNearestOrAwayFromZero : .towardZero)
      guard let integer = Int64(exactly: whole) else {
        throw ExpressionFailure(column, "the number exceeds 64 bits")
      }
      result = .int64(integer)
    }
    return result
  }

  private func date(_ value: ExpressionValue, _ column: Int) throws -> Date {
    switch value {
    case .value(.timestamp(let date)): return date
    case .value(.int64(let seconds)):
      return DateFormat.seconds.date(from: ShortDecimal(units: seconds))
        ?? Date(timeIntervalSince1970: Double(seconds))
    case .value(.double(let seconds)):
      guard let date = DateFormat.seconds.date(from: seconds) else {
        throw ExpressionFailure(column, "the number is not a date")
      }
      return date
    case .value(.string(let text)):
      guard let date = DateFormat.iso8601.date(from: text) else {
        throw ExpressionFailure(column, "the string is not an ISO 8601 date")
      }
      return date
    default: throw misfit(value, "a string, a number or a date", column)
    }
  }

  private func reference(
    _ values: [ExpressionValue], _ column: Int, _ record: EditableRecord
  ) throws -> ExpressionValue {
    let name = try string(values, 0, column)
    var action = Reference.Action.none
    if values.count > 1 {
      guard let wanted = Reference.Action(rawValue: try string(values, 1, column)) else {
        throw ExpressionFailure(column, "the action is 'NONE' or 'DELETE_SELF'")
      }
      action = wanted
    }
    return .value(
      .reference(
        Reference(
          recordID: RecordID(recordName: name, zoneID: record.recordID.zoneID), action: action)))
  }
}

extension ExpressionKinds {
  typealias Kinds = Set<Kind>

  /// Returns the kinds of values that a function can return, or `nil` if unknown.
  func kinds(
    of function: ExpressionFunction, _ operands: [ExpressionNode], _ column: Int
  ) throws -> Kinds? {
    let given = try operands.map { try kinds(of: $0) }
    switch function {
    case .if:
      _ = try needing(.truth, operands[0], column, "the condition of if")
      return given[1].flatMap { first in given[2].map { first.union($0) } }
    case .coalesce:
      return given.contains(nil) ? nil : given.reduce(into: []) { $0.formUnion($1 ?? []) }
    case .has: return [.bool]
    case .list, .field: return nil
    default: break
    }
    for (index, kinds) in given.enumerated() {
      guard let kinds = kinds?.subtracting([.null]), !kinds.isEmpty else { continue }
      guard kinds.contains(where: { Self.takes(function, $0, at: index) }) else {
        throw ExpressionError(column, "\(function.rawValue) does not accept \(kinds.inWords)")
      }
    }
    guard let result = Self.result(function, given.first ?? nil) else { return nil }
    return result.union([.null])
  }

  /// Returns whether a function accepts an argument of a kind at an index.
  private static func takes(_ function: ExpressionFunction, _ kind: Kind, at index: Int) -> Bool {
    let (isText, isInteger) = (kind == .value(.string), kind == .value(.int64))
    let isNumber = isInteger || kind == .value(.double)
    let isDate = kind == .value(.timestamp)
    switch function {
    case .lower, .upper, .trim, .starts, .ends, .replace, .reference: return isText
    case .part: return index == 2 ? isInteger : isText
    case .length: return isText || kind.isList || kind == .value(.bytes)
    case .contains: return index == 1 || isText || kind.isList
    case .at: return index == 1 ? isInteger : kind.isList
    case .first: return kind.isList
    case .text, .number, .integer, .round: return isText || isNumber || isDate || kind == .bool
    case .date: return isText || isNumber || isDate
    case .name: return kind == .value(.reference)
    case .field, .has, .if, .coalesce, .list: return true
    }
  }

  /// Returns the kinds of results of a function, or `nil` if unknown.
  private static func result(_ function: ExpressionFunction, _ first: Kinds?) -> Kinds? {
    switch function {
    case .lower, .upper, .trim, .replace, .part, .text, .name: return [.value(.string)]
    case .starts, .ends, .contains: return [.bool]
    case .length, .integer, .round: return [.value(.int64)]
    case .number: return [.value(.int64), .value(.double)]
    case .date: return [.value(.timestamp)]
    case .reference: return [.value(.reference)]
    case .at, .first:
      let elements = first?.compactMap { kind -> Kind? in
        guard case .value(let type) = kind else { return nil }
        return type.elementType.map(Kind.value)
      }
      return elements.flatMap { $0.isEmpty ? nil : Set($0) }
    case .field, .has, .if, .coalesce, .list: return nil
    }
  }
}
