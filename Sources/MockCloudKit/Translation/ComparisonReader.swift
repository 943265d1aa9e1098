import Foundation
import RecordModel

/// Reads a comparison of a predicate.
struct ComparisonReader {
  private let predicate: NSComparisonPredicate
  private var left: NSExpression { predicate.leftExpression }
  private var right: NSExpression { predicate.rightExpression }

  init(_ predicate: NSComparisonPredicate) { self.predicate = predicate }

  func filters() throws -> [QueryFilter] {
    guard predicate.options.isEmpty else { throw refusal("options of a comparison") }
    switch predicate.comparisonPredicateModifier {
    case .direct: return try direct()
    case .any: return [try quantified(.listContainsAny)]
    case .all: return [try quantified(.listContainsAll)]
    }
  }

  private func refusal(_ what: String) -> CKError {
    CKError.invalid("CloudKit does not support \(what): '\(predicate.predicateFormat)'")
  }

  // MARK: One value

  private func direct() throws -> [QueryFilter] {
    switch left.content {
    case .keyPath(let path): return try field(path)
    case .constant, .aggregate:
      guard predicate.predicateOperatorType == .in, case .keyPath(let path) = right.content else {
        throw refusal("this comparison with a value on the left")
      }
      return [QueryFilter(try name(path), .listContains, try value(left))]
    case .evaluatedObject:
      guard predicate.predicateOperatorType == .contains else { throw refusal("this use of self") }
      return [QueryFilter(QueryFilter.allText, .containsAllTokens, try value(right))]
    case .function(let function, let arguments): return [try distance(function, arguments)]
    }
  }

  private func field(_ path: String) throws -> [QueryFilter] {
    let name = try name(path)
    if predicate.predicateOperatorType == .between {
      let bounds = try values(right)
      guard bounds.count == 2 else { throw refusal("a BETWEEN without two bounds") }
      return [
        QueryFilter(name, .greaterThanOrEquals, bounds[0]),
        QueryFilter(name, .lessThanOrEquals, bounds[1]),
      ]
    }
    let comparators: [NSComparisonPredicate.Operator: QueryFilter.Comparator] = [
      .equalTo: .equals, .notEqualTo: .notEquals, .lessThan: .lessThan,
      .lessThanOrEqualTo: .lessThanOrEquals, .greaterThan: .greaterThan,
      .greaterThanOrEqualTo: .greaterThanOrEquals, .beginsWith: .beginsWith, .in: .in,
      .contains: .listContains,
    ]
    guard let comparator = comparators[predicate.predicateOperatorType] else {
      throw refusal("this operator")
    }
    return [QueryFilter(name, comparator, try value(right))]
  }

  private func distance(_ function: String, _ arguments: [NSExpression]) throws -> QueryFilter {
    let isLess = [.lessThan, .lessThanOrEqualTo].contains(predicate.predicateOperatorType)
    guard function == "distanceToLocation:fromLocation:", arguments.count == 2, isLess,
      case .keyPath(let path) = arguments[0].content,
      case .location(let location) = try value(arguments[1])
    else { throw refusal("this function") }
    let radius: Double? =
      switch try value(right) {
      case .double(let value): value
      case .int64(let value): Double(value)
      default: nil
      }
    guard let radius else { throw refusal("a distance that is not a number") }
    return QueryFilter(try name(path), .near, .location(location), distance: radius)
  }

  // MARK: Lists

  private func quantified(_ comparator: QueryFilter.Comparator) throws -> QueryFilter {
    switch (left.content, predicate.predicateOperatorType, right.content) {
    case (.keyPath(let path), .equalTo, _) where comparator == .listContainsAny:
      return QueryFilter(try name(path), .listContains, try value(right))
    case (.keyPath(let path), .beginsWith, _) where comparator == .listContainsAny:
      return QueryFilter(try name(path), .listMemberBeginsWith, try value(right))
    case (.keyPath(let path), .in, _) where comparator == .listContainsAny:
      return QueryFilter(try name(path), comparator, try value(right))
    case (.constant, .in, .keyPath(let path)), (.aggregate, .in, .keyPath(let path)):
      return QueryFilter(try name(path), comparator, try value(left))
    default: throw refusal("this comparison of a list")
    }
  }

  // MARK: Parts

  private func name(_ path: String) throws -> String {
    guard !path.contains(".") else { throw refusal("a key path") }
    guard path != "parent" else { throw refusal("queries by 'parent'") }
    return QueryKey.model(path)
  }

  private func value(_ expression: NSExpression) throws -> RecordValue {
    switch expression.content {
    case .constant(let value?): return try constant(value)
    case .aggregate(let elements):
      return try RecordValue(
        elements.compactMap { element -> Any? in
          if case .constant(let value) = element.content { value } else { nil }
        })
    default: throw refusal("'\(expression)' as a value")
    }
  }

  private func values(_ expression: NSExpression) throws -> [RecordValue] {
    switch expression.content {
    case .aggregate(let elements): try elements.map(value)
    case .constant(let list as [Any]): try list.map(constant)
    default: throw refusal("'\(expression)' as a list")
    }
  }

  /// A record or its identifier stands for a reference to it.
  private func constant(_ value: Any) throws -> RecordValue {
    switch value {
    case let id as CKRecord.ID: .reference(Reference(recordID: RecordID(id)))
    case let record as CKRecord: .reference(Reference(recordID: RecordID(record.recordID)))
    default: try RecordValue(value)
    }
  }
}
