#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension RecordQuery {
    /// Creates a query from the predicate of one of CloudKit, such as that of a subscription.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a predicate that CloudKit does not support.
    public init(recordType: String, predicate: NSPredicate) throws {
      var reader = PredicateReader()
      try reader.read(predicate)
      do {
        try self.init(
          recordType: recordType, predicate: reader.text, arguments: reader.arguments)
      } catch {
        throw CloudError(.invalidArguments, "\(error)")
      }
    }
  }

  /// Writes a predicate's tree as a format with its values, which RecordPack parses.
  private struct PredicateReader {
    var text = ""
    var arguments: [any RecordValueConvertible] = []

    mutating func read(_ predicate: NSPredicate) throws {
      switch predicate {
      case let compound as NSCompoundPredicate: try read(compound)
      case let comparison as NSComparisonPredicate: try read(comparison)
      default: text += predicate.predicateFormat
      }
    }

    private mutating func read(_ compound: NSCompoundPredicate) throws {
      let parts = compound.subpredicates.compactMap { $0 as? NSPredicate }
      // One of no predicates, and the negation of none, are not true.
      guard !parts.isEmpty || compound.compoundPredicateType == .and else {
        throw unsupported(compound.predicateFormat)
      }
      if compound.compoundPredicateType == .not { text += "NOT " }
      let conjunction = compound.compoundPredicateType == .or ? " OR " : " AND "
      text += parts.isEmpty ? "TRUEPREDICATE" : "("
      for (index, part) in parts.enumerated() {
        if index > 0 { text += conjunction }
        try read(part)
      }
      if !parts.isEmpty { text += ")" }
    }

    private mutating func read(_ comparison: NSComparisonPredicate) throws {
      guard comparison.options.isEmpty else { throw unsupported(comparison.predicateFormat) }
      switch comparison.comparisonPredicateModifier {
      case .all: text += "ALL "
      case .any: text += "ANY "
      default: break
      }
      try read(comparison.leftExpression)
      guard let name = name(of: comparison.predicateOperatorType) else {
        throw unsupported(comparison.predicateFormat)
      }
      text += " \(name) "
      try read(comparison.rightExpression)
    }

    private mutating func read(_ expression: NSExpression) throws {
      switch expression.expressionType {
      case .evaluatedObject: text += "self"
      case .keyPath:
        text += "%K"
        arguments.append(expression.keyPath)
      case .constantValue:
        // An array of constants is one value, and so is an array of expressions.
        try add(expression.constantValue)
      case .aggregate: try add(elements(of: expression))
      case .function where expression.function == "distanceToLocation:fromLocation:":
        let operands = expression.arguments ?? []
        guard operands.count == 2 else { throw unsupported("\(expression)") }
        text += "distanceToLocation:fromLocation:("
        try read(operands[0])
        text += ", "
        try read(operands[1])
        text += ")"
      default: throw unsupported("\(expression)")
      }
    }

    /// The values of an aggregate: constants, or expressions of them.
    private func elements(of aggregate: NSExpression) -> [Any]? {
      guard let list = aggregate.collection as? [Any] else { return nil }
      return list.map { ($0 as? NSExpression)?.constantValue ?? $0 }
    }

    private mutating func add(_ object: Any?) throws {
      guard let object, let value = RecordValue(object) else {
        throw unsupported("a value of the class \(object.map { "\(type(of: $0))" } ?? "nil")")
      }
      text += "%@"
      arguments.append(value)
    }

    private func unsupported(_ found: String) -> CloudError {
      CloudError(.invalidArguments, "CloudKit has no such comparison: \(found)")
    }

    private func name(of comparison: NSComparisonPredicate.Operator) -> String? {
      switch comparison {
      case .equalTo: "="
      case .notEqualTo: "!="
      case .lessThan: "<"
      case .lessThanOrEqualTo: "<="
      case .greaterThan: ">"
      case .greaterThanOrEqualTo: ">="
      case .in: "IN"
      case .contains: "CONTAINS"
      case .beginsWith: "BEGINSWITH"
      case .between: "BETWEEN"
      default: nil
      }
    }
  }
#endif
