import RecordModel

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
