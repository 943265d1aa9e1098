import Foundation
import RecordCoding
import RecordModel

/// A function of the expression language that is `null` if one of its arguments is `null`.
///
/// Has no references to objects that threads share, because reference counting slows them down.
struct ExpressionFunction: Sendable, Hashable {
  typealias Body = @Sendable (ExpressionArguments) throws -> ExpressionValue

  let name: String
  /// The kinds of values that the parameters accept.
  private let first: ExpressionKinds
  private let second: ExpressionKinds?
  private let third: ExpressionKinds?
  /// Whether the last argument may be omitted.
  private let isLastOptional: Bool
  /// The kinds of results, or `nil` for the kinds of the elements of the first argument.
  let result: ExpressionKinds?
  let body: Body

  private init(
    _ name: String, _ first: ExpressionKinds, _ second: ExpressionKinds? = nil,
    _ third: ExpressionKinds? = nil, isLastOptional: Bool = false,
    gives result: ExpressionKinds?, _ body: @escaping Body
  ) {
    (self.name, self.first, self.second, self.third) = (name, first, second, third)
    (self.isLastOptional, self.result, self.body) = (isLastOptional, result, body)
  }

  /// Returns the kinds of values that the parameter at an index accepts.
  func accepted(at index: Int) -> ExpressionKinds {
    index == 0 ? first : (index == 1 ? second : third) ?? []
  }

  /// The number of arguments.
  var arity: ClosedRange<Int> {
    let most = third != nil ? 3 : second != nil ? 2 : 1
    return (isLastOptional ? most - 1 : most)...most
  }

  static func == (a: Self, b: Self) -> Bool { a.name == b.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  private static let scalar: ExpressionKinds = [.string, .number, .date, .bool]

  /// All functions of this kind.
  static let all: [ExpressionFunction] = [
    // A number, a date (ISO 8601, UTC) or a Boolean as a string.
    .init("text", scalar, gives: .string) { .value(.string(try $0.text())) },
    // The number in a string, as an integer if possible, or the seconds of a date since 1970.
    .init("number", scalar, gives: .number) { .value(try $0.number()) },
    // A number without its fraction.
    .init("integer", scalar, gives: .integer) { try $0.rounded(.towardZero) },
    // The nearest integer; halves are rounded away from zero.
    .init("round", scalar, gives: .integer) { try $0.rounded(.toNearestOrAwayFromZero) },
    // The date of an ISO 8601 string, or of a number of seconds since 1970.
    .init("date", [.string, .number, .date], gives: .date) { .value(.timestamp(try $0.date())) },
    .init("lower", .string, gives: .string) { try $0.changed { $0.lowercased() } },
    .init("upper", .string, gives: .string) { try $0.changed { $0.uppercased() } },
    // A string without white space at either end.
    .init("trim", .string, gives: .string) {
      try $0.changed { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    },
    // The number of characters of a string, elements of a list, or bytes.
    .init("length", [.string, .list, .bytes], gives: .integer) {
      .value(.int64(Int64(try $0.length())))
    },
    // `contains(x, y)`: whether a string contains another, or a list contains an element.
    .init("contains", [.string, .list], .any, gives: .bool) { .bool(try $0.contains()) },
    .init("starts", .string, .string, gives: .bool) {
      .bool(try $0.string(0).utf8.starts(with: $0.string(1).utf8))
    },
    .init("ends", .string, .string, gives: .bool) {
      .bool(try $0.string(0).utf8.reversed().starts(with: $0.string(1).utf8.reversed()))
    },
    // `replace(text, old, new)`: replaces all occurrences.
    .init("replace", .string, .string, .string, gives: .string) { try $0.replaced() },
    // `part(text, separator, n)`: the n-th part from 0; a negative n counts from the end.
    .init("part", .string, .string, .integer, gives: .string) { try $0.part() },
    // `rest(text, separator, n)`: without the first n parts; a negative n, without the last.
    .init("rest", .string, .string, .integer, gives: .string) { try $0.rest() },
    // `at(list, n)`: the n-th element from 0; a negative n counts from the end.
    .init("at", .list, .integer, gives: nil) { try $0.element(at: $0.integer(1)) },
    .init("first", .list, gives: nil) { try $0.element(at: 0) },
    // The name of the referenced record.
    .init("name", .reference, gives: .string) {
      guard case .value(.reference(let reference)) = $0.values[0] else {
        throw $0.misfit(0, "a reference")
      }
      return .value(.string(reference.recordID.recordName))
    },
    // `reference(name)`, `reference(name, 'DELETE_SELF')`: a reference to a record in the same zone.
    .init("reference", .string, .string, isLastOptional: true, gives: .reference) {
      try $0.reference()
    },
  ]

  /// Whether the function converts references to names or names to references.
  var usesReferences: Bool { name == "name" || name == "reference" }
}

/// The arguments of a function. No argument is `null`.
struct ExpressionArguments {
  let name: String
  let values: [ExpressionValue]
  let column: Int
  let record: EditableRecord

  func failure(_ message: String) -> MigrationError { MigrationError(.noValue, column, message) }

  func misfit(_ index: Int, _ expected: String) -> MigrationError {
    failure("\(name) requires \(expected), but this is \(values[index].kind)")
  }

  func string(_ index: Int) throws -> String {
    guard case .value(.string(let text)) = values[index] else { throw misfit(index, "a string") }
    return text
  }

  func integer(_ index: Int) throws -> Int {
    guard case .value(.int64(let number)) = values[index], let small = Int(exactly: number) else {
      throw misfit(index, "an integer")
    }
    return small
  }

  /// Returns the first argument with a change.
  func changed(_ change: (String) -> String) throws -> ExpressionValue {
    let text = try string(0)
    try ExpressionLimits.check(text.utf8.count, column)
    let result = change(text)
    try ExpressionLimits.check(result.utf8.count, column)
    return .value(.string(result))
  }

  func replaced() throws -> ExpressionValue {
    let (text, old, new) = (try string(0), try string(1), try string(2))
    guard !old.isEmpty else { return .value(.string(text)) }
    guard new.utf8.count <= max(old.utf8.count, 256) else {
      throw failure("the replacement has more than 256 bytes")
    }
    let parts = text.separated(by: old)
    let size = parts.reduce((parts.count - 1) * new.utf8.count) { $0 + $1.utf8.count }
    try ExpressionLimits.check(size, column)
    return .value(.string(parts.joined(separator: new)))
  }

  private func parts() throws -> [String] {
    let (text, separator) = (try string(0), try string(1))
    guard !separator.isEmpty else {
      throw failure("\(name) requires a separator that is not empty")
    }
    return text.separated(by: separator)
  }

  func rest() throws -> ExpressionValue {
    let (parts, number) = (try parts(), try integer(2))
    let count = min(parts.count, number.magnitude > UInt(Int.max) ? parts.count : abs(number))
    let left = number < 0 ? parts.dropLast(count) : parts.dropFirst(count)
    guard !left.isEmpty else { return .null }
    let text = left.joined(separator: try string(1))
    try ExpressionLimits.check(text.utf8.count, column)
    return .value(.string(text))
  }

  func part() throws -> ExpressionValue {
    let parts = try parts()
    guard let found = try Self.element(of: parts, at: integer(2)) else { return .null }
    try ExpressionLimits.check(found.utf8.count, column)
    return .value(.string(found))
  }

  /// Returns an element by its index from 0, or a negative index from the end.
  private static func element<T>(of elements: [T], at number: Int) -> T? {
    let index = number < 0 ? elements.count + max(number, -elements.count - 1) : number
    return elements.indices.contains(index) ? elements[index] : nil
  }

  private var elements: [RecordValue]? { values[0].recordValue?.elements }

  func element(at number: Int) throws -> ExpressionValue {
    guard let elements else { throw misfit(0, "a list") }
    return Self.element(of: elements, at: number).map { .value($0) } ?? .null
  }

  func length() throws -> Int {
    switch values[0] {
    case .value(.string(let text)): return text.count
    case .value(.bytes(let data)): return data.count
    default:
      guard let elements else { throw misfit(0, "a string, bytes or a list") }
      return elements.count
    }
  }

  func contains() throws -> Bool {
    if case .value(.string(let text)) = values[0] {
      let part = try string(1)
      return part.isEmpty || LiteralSearch(part).isIn(text)
    }
    guard let elements else { throw misfit(0, "a string or a list") }
    return elements.contains { ExpressionNode.areEqual(.value($0), values[1]) }
  }

  func text() throws -> String {
    if case .bool(let truth) = values[0] { return truth ? "true" : "false" }
    if case .value(.timestamp(let date)) = values[0], DateFormat.iso8601.text(of: date) == nil {
      throw failure("the date is outside of the years 1 to 9999")
    }
    guard let text = values[0].recordValue.flatMap(TextForm.text) else {
      throw misfit(0, "a string, a number, a date or a Boolean")
    }
    return text
  }

  func number() throws -> RecordValue {
    switch values[0] {
    case .value(.string(let text)):
      guard let parsed = TextForm.number(from: text) else {
        throw failure("the string is not a number")
      }
      return parsed
    case .value(.int64(let number)): return .int64(number)
    case .value(.double(let number)): return .double(number)
    case .value(.timestamp(let date)):
      return .double(DateFormat.seconds.number(of: date) ?? date.timeIntervalSince1970)
    case .bool(let truth): return .int64(truth ? 1 : 0)
    default: throw misfit(0, "a number, a string or a date")
    }
  }

  func rounded(_ rule: FloatingPointRoundingRule) throws -> ExpressionValue {
    let number = try number()
    guard case .double(let double) = number else { return .value(number) }
    guard let integer = Int64(exactly: double.rounded(rule)) else {
      throw failure("the number exceeds 64 bits")
    }
    return .value(.int64(integer))
  }

  func date() throws -> Date {
    switch values[0] {
    case .value(.timestamp(let date)): return date
    case .value(.int64(let seconds)):
      return DateFormat.seconds.date(from: Decimal(seconds))
        ?? Date(timeIntervalSince1970: Double(seconds))
    case .value(.double(let seconds)):
      guard let date = DateFormat.seconds.date(from: seconds) else {
        throw failure("the number is not a date")
      }
      return date
    case .value(.string(let text)):
      guard let date = DateFormat.iso8601.date(from: text) else {
        throw failure("the string is not an ISO 8601 date")
      }
      return date
    default: throw misfit(0, "a string, a number or a date")
    }
  }

  func reference() throws -> ExpressionValue {
    let name = try string(0)
    guard Conversion.isRecordName(name) else { throw failure(Conversion.noRecordName) }
    var action = Reference.Action.none
    if values.count > 1 {
      guard let wanted = Reference.Action(rawValue: try string(1)) else {
        throw failure("the action is 'NONE' or 'DELETE_SELF'")
      }
      action = wanted
    }
    let recordID = RecordID(recordName: name, zoneID: record.recordID.zoneID)
    return .value(.reference(Reference(recordID: recordID, action: action)))
  }
}
