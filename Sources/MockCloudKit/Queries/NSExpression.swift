import Foundation

/// https://developer.apple.com/documentation/foundation/nsexpression
public class NSExpression: NSObject {
  /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum
  public enum ExpressionType: UInt, Sendable {
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/constantvalue
    case constantValue = 0
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/evaluatedobject
    case evaluatedObject = 1
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/variable
    case variable = 2
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/keypath
    case keyPath = 3
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/function
    case function = 4
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/unionset
    case unionSet = 5
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/intersectset
    case intersectSet = 6
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/minusset
    case minusSet = 7
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/subquery
    case subquery = 13
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/aggregate
    case aggregate = 14
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/anykey
    case anyKey = 15
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/block
    case block = 19
    /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.enum/conditional
    case conditional = 20
  }

  enum Content {
    case constant(Any?)
    case evaluatedObject
    case keyPath(String)
    case function(String, [NSExpression])
    case aggregate([NSExpression])
  }

  let content: Content

  init(_ content: Content) {
    self.content = content
    super.init()
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/init(forconstantvalue:)
  public convenience init(forConstantValue obj: Any?) { self.init(.constant(obj)) }

  /// https://developer.apple.com/documentation/foundation/nsexpression/init(forkeypath:)
  public convenience init(forKeyPath keyPath: String) { self.init(.keyPath(keyPath)) }

  /// https://developer.apple.com/documentation/foundation/nsexpression/init(forfunction:arguments:)
  public convenience init(forFunction name: String, arguments parameters: [Any]) {
    self.init(.function(name, parameters.compactMap { $0 as? NSExpression }))
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/init(foraggregate:)
  public convenience init(forAggregate subexpressions: [Any]) {
    self.init(.aggregate(subexpressions.compactMap { $0 as? NSExpression }))
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/expressionforevaluatedobject()
  public class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(.evaluatedObject)
  }

  // MARK: Parts. As on Apple's platforms, an expression of another type has none.

  /// https://developer.apple.com/documentation/foundation/nsexpression/expressiontype-swift.property
  public var expressionType: NSExpression.ExpressionType {
    switch content {
    case .constant: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .keyPath: .keyPath
    case .function: .function
    case .aggregate: .aggregate
    }
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/constantvalue
  public var constantValue: Any? {
    guard case .constant(let value) = content else { missing("constantValue") }
    return value
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/keypath
  public var keyPath: String {
    guard case .keyPath(let path) = content else { missing("keyPath") }
    return path
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/function
  public var function: String {
    guard case .function(let name, _) = content else { missing("function") }
    return name
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/arguments
  public var arguments: [NSExpression]? {
    guard case .function(_, let arguments) = content else { missing("arguments") }
    return arguments
  }

  /// https://developer.apple.com/documentation/foundation/nsexpression/collection
  public var collection: Any {
    guard case .aggregate(let elements) = content else { missing("collection") }
    return elements
  }

  private func missing(_ name: String) -> Never {
    preconditionFailure("an expression of the type \(expressionType) has no \(name)")
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/description
  public override var description: String {
    switch content {
    case .constant(let value as String): "\"\(value)\""
    case .constant(let value): value.map { "\($0)" } ?? "nil"
    case .evaluatedObject: "SELF"
    case .keyPath(let path): path
    case .function(let name, let arguments):
      "\(name)(\(arguments.map(\.description).joined(separator: ", ")))"
    case .aggregate(let elements):
      "{\(elements.map(\.description).joined(separator: ", "))}"
    }
  }
}
