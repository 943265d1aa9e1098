import Foundation

/// https://developer.apple.com/documentation/foundation/nscomparisonpredicate
public class NSComparisonPredicate: NSPredicate {
  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/modifier
  public enum Modifier: UInt, Sendable {
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/modifier/direct
    case direct = 0
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/modifier/all
    case all = 1
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/modifier/any
    case any = 2
  }

  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator
  public enum Operator: UInt, Sendable {
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/lessthan
    case lessThan = 0
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/lessthanorequalto
    case lessThanOrEqualTo = 1
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/greaterthan
    case greaterThan = 2
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/greaterthanorequalto
    case greaterThanOrEqualTo = 3
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/equalto
    case equalTo = 4
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/notequalto
    case notEqualTo = 5
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/matches
    case matches = 6
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/like
    case like = 7
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/beginswith
    case beginsWith = 8
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/endswith
    case endsWith = 9
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/in
    case `in` = 10
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/customselector
    case customSelector = 11
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/contains
    case contains = 99
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/operator/between
    case between = 100
  }

  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/options-swift.struct
  public struct Options: OptionSet, Sendable {
    /// https://developer.apple.com/documentation/swift/optionset/rawvalue
    public let rawValue: UInt

    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/options-swift.struct/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/options-swift.struct/caseinsensitive
    public static let caseInsensitive = Options(rawValue: 1)
    /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/options-swift.struct/diacriticinsensitive
    public static let diacriticInsensitive = Options(rawValue: 2)
  }

  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/leftexpression
  public let leftExpression: NSExpression
  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/rightexpression
  public let rightExpression: NSExpression
  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/comparisonpredicatemodifier
  public let comparisonPredicateModifier: NSComparisonPredicate.Modifier
  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/predicateoperatortype
  public let predicateOperatorType: NSComparisonPredicate.Operator
  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/options-swift.property
  public let options: NSComparisonPredicate.Options

  /// https://developer.apple.com/documentation/foundation/nscomparisonpredicate/init(leftexpression:rightexpression:modifier:type:options:)
  public init(
    leftExpression lhs: NSExpression, rightExpression rhs: NSExpression,
    modifier: NSComparisonPredicate.Modifier, type: NSComparisonPredicate.Operator,
    options: NSComparisonPredicate.Options = []
  ) {
    leftExpression = lhs
    rightExpression = rhs
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    super.init(value: nil)
  }

  /// https://developer.apple.com/documentation/foundation/nspredicate/predicateformat
  public override var predicateFormat: String {
    let modifier =
      switch comparisonPredicateModifier {
      case .direct: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    let word = PredicateFormatParser.words[predicateOperatorType] ?? ""
    return "\(modifier)\(leftExpression) \(word) \(rightExpression)"
  }
}
