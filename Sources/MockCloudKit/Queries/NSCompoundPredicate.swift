import Foundation

/// https://developer.apple.com/documentation/foundation/nscompoundpredicate
public class NSCompoundPredicate: NSPredicate {
  /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/logicaltype
  public enum LogicalType: UInt, Sendable {
    /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/logicaltype/not
    case not = 0
    /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/logicaltype/and
    case and = 1
    /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/logicaltype/or
    case or = 2
  }

  /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/compoundpredicatetype
  public let compoundPredicateType: NSCompoundPredicate.LogicalType
  let parts: [NSPredicate]

  /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/init(type:subpredicates:)
  public init(type: NSCompoundPredicate.LogicalType, subpredicates: [NSPredicate]) {
    compoundPredicateType = type
    parts = subpredicates
    super.init(value: nil)
  }

  /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/init(andpredicatewithsubpredicates:)
  public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
    self.init(type: .and, subpredicates: subpredicates)
  }

  /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/init(orpredicatewithsubpredicates:)
  public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
    self.init(type: .or, subpredicates: subpredicates)
  }

  /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/init(notpredicatewithsubpredicate:)
  public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
    self.init(type: .not, subpredicates: [predicate])
  }

  /// https://developer.apple.com/documentation/foundation/nscompoundpredicate/subpredicates
  public var subpredicates: [Any] { parts }

  /// https://developer.apple.com/documentation/foundation/nspredicate/predicateformat
  public override var predicateFormat: String {
    let formats = parts.map { part in
      part is NSCompoundPredicate ? "(\(part.predicateFormat))" : part.predicateFormat
    }
    return switch compoundPredicateType {
    case .not: "NOT \(formats.first ?? "")"
    case .and: formats.joined(separator: " AND ")
    case .or: formats.joined(separator: " OR ")
    }
  }
}
