/// A stored value that takes no part in equality and hashing.
///
/// Schema elements remember where they stood in a file and how they were written. Two schemas that
/// say the same are equal wherever they were read from, so these memories are wrapped in this.
@propertyWrapper
public struct NotCompared<Value: Sendable>: Sendable, Hashable {
  /// The value itself.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Always true: see the type.
  public static func == (lhs: NotCompared, rhs: NotCompared) -> Bool { true }

  /// Adds nothing: see the type.
  public func hash(into hasher: inout Hasher) {}
}
