#if os(Linux)
  import Foundation

  /// A predicate that was made of a format.
  ///
  /// On Linux `NSPredicate` has formats only as declarations that are unavailable, and its
  /// comparisons cannot be made at all. Whoever uses the predicate parses the format.
  package final class FormatPredicate: NSPredicate {
    package let format: String
    package let arguments: [Any]

    init(_ format: String, _ arguments: [Any]) {
      self.format = format
      self.arguments = arguments
      super.init(value: false)
    }

    /// The format with its arguments in the places of the specifiers.
    package override var predicateFormat: String {
      var (text, rest) = ("", format[...])
      var values = arguments[...]
      while let index = rest.firstIndex(of: "%") {
        text += rest[..<index]
        rest = rest[index...].dropFirst()
        guard let specifier = Self.specifiers.first(where: rest.hasPrefix),
          let value = values.popFirst()
        else {
          text += "%"
          continue
        }
        rest = rest.dropFirst(specifier.count)
        text += specifier == "@" ? Self.literal(value) : "\(value)"
      }
      return text + rest
    }

    private static let specifiers = [
      "@", "K", "lld", "llu", "ld", "lu", "li", "d", "i", "u", "f", "g",
    ]

    private static func literal(_ value: Any) -> String {
      switch value {
      case let text as String: "\"\(text)\""
      case let list as [Any]: "{" + list.map(literal).joined(separator: ", ") + "}"
      default: "\(value)"
      }
    }

    package override var description: String { predicateFormat }

    package override func copy(with zone: NSZone? = nil) -> Any { self }

    package override func isEqual(_ object: Any?) -> Bool {
      (object as? FormatPredicate)?.predicateFormat == predicateFormat
    }

    package override var hash: Int { predicateFormat.hashValue }

    package override func evaluate(
      with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
      preconditionFailure("Foundation on Linux does not evaluate predicates made of a format")
    }
  }

  /// A class whose initializer returns an object of a subclass, as Swift allows in a protocol only.
  package protocol SelfReplacing {}

  extension SelfReplacing {
    package init(replacingSelfWith other: Any) {
      guard let other = other as? Self else {
        preconditionFailure("\(Self.self) cannot be made of a format")
      }
      self = other
    }
  }

  // Foundation on Linux declares these initializers as unavailable, and an available one wins.
  extension NSPredicate: SelfReplacing {
    /// Creates a predicate from a format and its arguments.
    ///
    /// Unlike on Apple's platforms, an invalid format fails where the predicate is used.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
      self.init(replacingSelfWith: FormatPredicate(predicateFormat, arguments ?? []))
    }

    /// Creates a predicate from a format and its arguments.
    public convenience init(format predicateFormat: String, _ args: Any...) {
      self.init(replacingSelfWith: FormatPredicate(predicateFormat, args))
    }
  }
#endif
