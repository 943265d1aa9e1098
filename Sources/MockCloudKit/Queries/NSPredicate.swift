import Foundation

/// https://developer.apple.com/documentation/foundation/nspredicate
public class NSPredicate: NSObject, NSCopying {
  private let value: Bool?
  /// Why the format is no predicate. On Apple's platforms an exception ends the process.
  let formatError: PredicateFormatError?

  init(value: Bool?, error: PredicateFormatError? = nil) {
    self.value = value
    formatError = error
    super.init()
  }

  /// https://developer.apple.com/documentation/foundation/nspredicate/init(value:)
  public convenience init(value: Bool) { self.init(value: .some(value)) }

  /// https://developer.apple.com/documentation/foundation/nspredicate/predicateformat
  public var predicateFormat: String {
    value.map { $0 ? "TRUEPREDICATE" : "FALSEPREDICATE" } ?? ""
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/description
  public override var description: String { predicateFormat }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The value of `TRUEPREDICATE` and `FALSEPREDICATE`.
  var constant: Bool? { value }
}

/// What lets an initializer return an object of a subclass, which a class itself cannot do in Swift.
protocol SelfReplacing {}

extension SelfReplacing {
  init(replacingSelfWith other: Any) {
    guard let other = other as? Self else {
      preconditionFailure("\(Self.self) is made from its parts")
    }
    self = other
  }
}

extension NSPredicate: SelfReplacing {
  /// https://developer.apple.com/documentation/foundation/nspredicate/init(format:argumentarray:)
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(replacingSelfWith: NSPredicate.parsing(predicateFormat, arguments ?? []))
  }

  private static func parsing(_ format: String, _ arguments: [Any]) -> NSPredicate {
    do {
      var parser = try PredicateFormatParser(format, arguments)
      return try parser.predicate()
    } catch {
      return NSPredicate(value: nil, error: error)
    }
  }
}

/// What is wrong with the format of a predicate.
struct PredicateFormatError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
