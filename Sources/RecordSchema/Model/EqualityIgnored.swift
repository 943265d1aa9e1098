/// A stored value that is ignored by equality and hashing.
///
/// Schema elements store their location in the file and how they were written. This wrapper
/// excludes these values, so that schemas with the same content are equal wherever they were read
/// from.
@propertyWrapper
public struct EqualityIgnored<Value: Sendable>: Sendable, Hashable {
  /// The wrapped value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Returns true for any two values.
  public static func == (lhs: EqualityIgnored, rhs: EqualityIgnored) -> Bool { true }

  /// Does nothing, so that all values have the same hash.
  public func hash(into hasher: inout Hasher) {}
}
