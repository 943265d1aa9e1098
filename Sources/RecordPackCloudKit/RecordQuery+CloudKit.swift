#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CKQuery {
    /// Creates a query from one of RecordPack.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express, for an order by the distance that begins with the farthest, and for an invalid
    ///   record type.
    public convenience init(_ query: RecordQuery) throws {
      try RecordLimits.cloudKit.check(recordType: query.recordType)
      self.init(
        recordType: query.recordType, predicate: try PredicateFormat(query.filters).predicate)
      sortDescriptors = query.sort.isEmpty ? nil : try query.sort.map { try $0.descriptor() }
    }
  }

  extension QuerySort {
    fileprivate func descriptor() throws -> NSSortDescriptor {
      try QueryFieldName.check(fieldName)
      let name = SystemField.predicateName(fieldName)
      guard let relativeLocation else { return NSSortDescriptor(key: name, ascending: ascending) }
      guard ascending else {
        throw CloudError(
          .invalidArguments, "CloudKit cannot sort by '\(fieldName)' with the farthest first")
      }
      return CKLocationSortDescriptor(key: name, relativeLocation: .init(relativeLocation))
    }
  }

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

  /// The text of a predicate, and the values for its specifiers, as `NSPredicate(format:)` takes
  /// them.
  struct PredicateFormat {
    var text = ""
    var arguments: [Any] = []

    /// Creates the format of a query's filters.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express.
    init(_ filters: [QueryFilter]) throws {
      for filter in filters {
        if !text.isEmpty { text += " AND " }
        try add(filter)
      }
    }

    private mutating func add(_ filter: QueryFilter) throws {
      try QueryFieldName.check(filter.fieldName)
      guard filter.comparator.takes(filter.fieldValue),
        let value = try filter.fieldValue.object(withFilesIn: AssetFiles())
      else {
        throw CloudError(
          .invalidArguments,
          "a query cannot compare '\(filter.fieldName)' with a value of the type "
            + "\(filter.fieldValue.typeName) by \(filter.comparator.rawValue)")
      }
      switch filter.comparator {
      case .near:
        guard let distance = filter.distance, distance.isFinite else {
          throw CloudError(.invalidArguments, "the filter of '\(filter.fieldName)' has no distance")
        }
        text += "distanceToLocation:fromLocation:(%K, %@) < %@"
        arguments += [filter.predicateName, value, NSNumber(value: distance)]
      case .containsAllTokens where filter.fieldName == QueryFilter.allText:
        text += "self CONTAINS %@"
        arguments.append(value)
      case .listContainsAll, .notListContainsAll:
        text += filter.comparator == .listContainsAll ? "ALL %@ IN %K" : "NOT (ALL %@ IN %K)"
        arguments += [value, filter.predicateName]
      default:
        guard let comparison = filter.comparator.predicateFormat,
          filter.fieldName != QueryFilter.allText
        else {
          throw CloudError(
            .invalidArguments, "no predicate of CloudKit is \(filter.comparator.rawValue)")
        }
        text += comparison
        arguments += [filter.predicateName, value]
      }
    }

    /// The predicate; true if there are no filters.
    var predicate: NSPredicate {
      text.isEmpty
        ? NSPredicate(value: true) : NSPredicate(format: text, argumentArray: arguments)
    }
  }

  extension QueryFilter {
    /// The name of the field in predicates.
    fileprivate var predicateName: String { SystemField.predicateName(fieldName) }
  }

  extension QueryFilter.Comparator {
    /// Whether the comparison is with a value of this type. CloudKit raises an exception for some that
    /// are not.
    fileprivate func takes(_ value: RecordValue) -> Bool {
      switch self {
      case .near: value.type == .location
      case .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith,
        .containsAllTokens, .containsAnyTokens:
        value.type == .string
      case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll,
        .notListContainsAll:
        value.elements != nil && !value.isOfAssets
      default: !value.isOfAssets
      }
    }

    /// The comparison of a field (`%K`) with a value (`%@`); nil if it has another form or none.
    fileprivate var predicateFormat: String? {
      switch self {
      case .equals: "%K = %@"
      case .notEquals: "%K != %@"
      case .lessThan: "%K < %@"
      case .lessThanOrEquals: "%K <= %@"
      case .greaterThan: "%K > %@"
      case .greaterThanOrEquals: "%K >= %@"
      case .in: "%K IN %@"
      case .notIn: "NOT (%K IN %@)"
      case .beginsWith: "%K BEGINSWITH %@"
      case .notBeginsWith: "NOT (%K BEGINSWITH %@)"
      case .listContains: "%K CONTAINS %@"
      case .notListContains: "NOT (%K CONTAINS %@)"
      case .listContainsAny: "ANY %K IN %@"
      case .notListContainsAny: "NONE %K IN %@"
      case .listMemberBeginsWith: "ANY %K BEGINSWITH %@"
      case .notListMemberBeginsWith: "NONE %K BEGINSWITH %@"
      case .near, .containsAllTokens, .containsAnyTokens, .listContainsAll, .notListContainsAll:
        nil
      }
    }
  }

  /// The names of fields in queries.
  enum QueryFieldName {
    /// Checks a name that a predicate or a sort descriptor is made of. Foundation or CloudKit raises
    /// an exception for one that is not valid, and takes one with a dot for a path to another record.
    ///
    /// - Throws: `CloudError` with `invalidArguments`.
    static func check(_ name: String) throws {
      // The names of system fields.
      let field = name.hasPrefix("___") ? String(name.dropFirst(3)) : name
      let anyRecord = RecordID(recordName: "any")
      let isValid = (try? RecordLimits.cloudKit.check(fieldName: field, in: anyRecord)) != nil
      guard isValid, !field.contains(".") else {
        throw CloudError(.invalidArguments, "no field that a query can have is named '\(name)'")
      }
    }
  }
#endif
