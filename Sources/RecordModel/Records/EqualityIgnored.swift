/// A stored value that is ignored by equality and hashing, such as the place of an element in a file:
/// schemas with the same content are equal wherever they were read from.
@propertyWrapper
package struct EqualityIgnored<Value: Sendable>: Sendable, Hashable {
  /// The wrapped value.
  package var wrappedValue: Value

  /// Wraps a value.
  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Returns true for any two values.
  package static func == (_: EqualityIgnored, _: EqualityIgnored) -> Bool { true }

  /// Does nothing, so that all values have the same hash.
  package func hash(into _: inout Hasher) {}
}
