/// The functions of expressions.
enum ExpressionFunction: String, Sendable, CaseIterable {
  /// `field('name')`: a field whose name is none of the language's, or is one of its words.
  case field
  /// `has(name)`: whether there is a value.
  case has
  /// `if(condition, then, else)`.
  case `if`
  /// `coalesce(a, b, …)`: the first that is not null.
  case coalesce
  /// `text(x)`: a number, date (ISO 8601, UTC) or truth value as text.
  case text
  /// `number(x)`: the number a text names, an integer where it is one; a date's seconds since 1970.
  case number
  /// `integer(x)`: a number without its fraction.
  case integer
  /// `round(x)`: the nearest integer; halves go away from zero.
  case round
  /// `date(x)`: the date of an ISO 8601 text, or of a number of seconds since 1970.
  case date
  /// `lower(text)`.
  case lower
  /// `upper(text)`.
  case upper
  /// `trim(text)`: without white space at both ends.
  case trim
  /// `length(x)`: the characters of a text, the elements of a list, the bytes of bytes.
  case length
  /// `contains(x, y)`: whether a text holds another, or a list an element.
  case contains
  /// `starts(text, beginning)`.
  case starts
  /// `ends(text, ending)`.
  case ends
  /// `replace(text, old, new)`: every occurrence.
  case replace
  /// `part(text, separator, n)`: the n-th part from 0, from the end where n is negative.
  case part
  /// `list(a, …)`, also written `[a, …]`: nulls are left out.
  case list
  /// `at(list, n)`: the n-th element from 0, from the end where n is negative.
  case at
  /// `first(list)`.
  case first
  /// `name(reference)`: the name of the record it points to.
  case name
  /// `reference(name)`: to a record of the same zone; `reference(name, 'DELETE_SELF')`.
  case reference

  /// How many arguments it takes.
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

  /// How many arguments it takes, in words.
  var usage: String {
    let (low, high) = (arity.lowerBound, arity.upperBound)
    if low == high { return low == 1 ? "1 argument" : "\(low) arguments" }
    return "\(low) to \(high) arguments"
  }
}
