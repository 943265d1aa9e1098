/// A set of names. Two names are the same only where they are the same Unicode scalars.
///
/// A `Set<String>` holds only one of two canonically equivalent texts ("é" in one scalar and in
/// two), and finds it by either. A database may hold both.
public struct NameSet: Sendable, Hashable {
  private var keys: Set<ExactString>

  /// Creates a set of names.
  public init(_ names: some Sequence<String>) { keys = Set(names.lazy.map { ExactString($0) }) }

  /// Whether there are no names.
  public var isEmpty: Bool { keys.isEmpty }

  /// The names, in the order of their UTF-8 bytes.
  public var names: [String] { keys.sorted().map(\.string) }

  /// Whether a name is in the set.
  public func contains(_ name: String) -> Bool { keys.contains(ExactString(name)) }

  /// Adds a name.
  ///
  /// - Returns: whether the set did not contain it.
  @discardableResult
  public mutating func insert(_ name: String) -> Bool { keys.insert(ExactString(name)).inserted }
}

extension NameSet: ExpressibleByArrayLiteral {
  /// Creates a set of names.
  public init(arrayLiteral names: String...) { self.init(names) }
}
