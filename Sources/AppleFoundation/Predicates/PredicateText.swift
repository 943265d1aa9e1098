import Foundation

/// A predicate as a format with the arguments of its specifiers, as `RecordQuery` parses it.
package struct PredicateText {
  /// The format. It has the specifiers of `NSPredicate(format:argumentArray:)`.
  package private(set) var format = ""
  /// The values and names of fields, in the order of the specifiers.
  package private(set) var arguments: [Any] = []

  /// Reads a predicate.
  ///
  /// - Throws: `UnsupportedPredicate` for a predicate that no format can describe, such as a block.
  package init(_ predicate: NSPredicate) throws(UnsupportedPredicate) { try read(predicate) }

  private mutating func read(_ predicate: NSPredicate) throws(UnsupportedPredicate) {
    switch predicate {
    case let compound as NSCompoundPredicate: try read(compound)
    #if os(Linux)
      case let predicate as FormatPredicate:
        format += predicate.format
        arguments += predicate.arguments
      default:
        format += predicate.evaluate(with: nil) ? "TRUEPREDICATE" : "FALSEPREDICATE"
    #else
      case let comparison as NSComparisonPredicate: try read(comparison)
      default: format += predicate.predicateFormat
    #endif
    }
  }

  private mutating func read(_ compound: NSCompoundPredicate) throws(UnsupportedPredicate) {
    let parts = (compound.subpredicates as [Any]).compactMap { $0 as? NSPredicate }
    // One of no predicates, and the negation of none, are not true.
    guard !parts.isEmpty || compound.compoundPredicateType == .and else {
      throw UnsupportedPredicate("a compound of no predicates")
    }
    if compound.compoundPredicateType == .not { format += "NOT " }
    let conjunction = compound.compoundPredicateType == .or ? " OR " : " AND "
    format += parts.isEmpty ? "TRUEPREDICATE" : "("
    for (index, part) in parts.enumerated() {
      if index > 0 { format += conjunction }
      try read(part)
    }
    if !parts.isEmpty { format += ")" }
  }
}

/// A predicate that CloudKit does not support.
package struct UnsupportedPredicate: Error, CustomStringConvertible {
  package let description: String

  init(_ found: String) { description = "CloudKit has no such comparison: \(found)" }
}

#if !os(Linux)
  extension PredicateText {
    private mutating func read(
      _ comparison: NSComparisonPredicate
    ) throws(UnsupportedPredicate) {
      guard comparison.options.isEmpty else {
        throw UnsupportedPredicate(comparison.predicateFormat)
      }
      switch comparison.comparisonPredicateModifier {
      case .all: format += "ALL "
      case .any: format += "ANY "
      default: break
      }
      try read(comparison.leftExpression)
      guard let name = Self.operators[comparison.predicateOperatorType] else {
        throw UnsupportedPredicate(comparison.predicateFormat)
      }
      format += " \(name) "
      try read(comparison.rightExpression)
    }

    private mutating func read(_ expression: NSExpression) throws(UnsupportedPredicate) {
      switch expression.expressionType {
      case .evaluatedObject: format += "self"
      case .keyPath:
        format += "%K"
        arguments.append(expression.keyPath)
      case .constantValue:
        // An array of constants is one value, and so is an array of expressions.
        try add(expression.constantValue)
      case .aggregate: try add(elements(of: expression))
      case .function where expression.function == "distanceToLocation:fromLocation:":
        let operands = expression.arguments ?? []
        guard operands.count == 2 else { throw UnsupportedPredicate("\(expression)") }
        format += "distanceToLocation:fromLocation:("
        try read(operands[0])
        format += ", "
        try read(operands[1])
        format += ")"
      default: throw UnsupportedPredicate("\(expression)")
      }
    }

    /// The values of an aggregate: constants, or expressions of them.
    private func elements(of aggregate: NSExpression) -> [Any]? {
      guard let list = aggregate.collection as? [Any] else { return nil }
      return list.map { ($0 as? NSExpression)?.constantValue ?? $0 }
    }

    private mutating func add(_ object: Any?) throws(UnsupportedPredicate) {
      guard let object else { throw UnsupportedPredicate("nil") }
      format += "%@"
      arguments.append(object)
    }

    private static let operators: [NSComparisonPredicate.Operator: String] = [
      .equalTo: "=", .notEqualTo: "!=", .lessThan: "<", .lessThanOrEqualTo: "<=",
      .greaterThan: ">", .greaterThanOrEqualTo: ">=", .in: "IN", .contains: "CONTAINS",
      .beginsWith: "BEGINSWITH", .between: "BETWEEN",
    ]
  }
#endif
