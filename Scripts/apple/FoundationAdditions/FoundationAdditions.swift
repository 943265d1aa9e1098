// What Apple's Foundation has of predicates, and Linux declares as unavailable.
import Foundation

extension NSComparisonPredicate {
  public var predicateOperatorType: Operator { fatalError() }
  public var comparisonPredicateModifier: Modifier { fatalError() }
  public var leftExpression: NSExpression { fatalError() }
  public var rightExpression: NSExpression { fatalError() }
  public var options: Options { fatalError() }
}

extension NSExpression {
  public var expressionType: ExpressionType { fatalError() }
  public var constantValue: Any? { fatalError() }
  public var keyPath: String { fatalError() }
  public var function: String { fatalError() }
  public var arguments: [NSExpression]? { fatalError() }
  public var collection: Any { fatalError() }
}
