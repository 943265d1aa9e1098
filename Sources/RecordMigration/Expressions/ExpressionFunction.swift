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
}
