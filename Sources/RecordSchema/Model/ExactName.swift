import RecordModel

/// A name that is compared by its bytes, as CloudKit compares names.
///
/// `String.==` takes canonically equivalent strings for equal (`é` in one scalar and in two), and so
/// do sets and dictionaries of strings. To the server they are two names.
@propertyWrapper
public struct ExactName: Sendable, Hashable, Comparable {
  /// The name.
  public var wrappedValue: String

  /// Wraps a name.
  public init(wrappedValue: String) {
    self.wrappedValue = wrappedValue
  }

  /// Wraps a name.
  public init(_ name: String) {
    wrappedValue = name
  }

  /// Whether both are the same bytes.
  public static func == (lhs: ExactName, rhs: ExactName) -> Bool {
    lhs.wrappedValue.sameScalars(as: rhs.wrappedValue)
  }

  /// Orders by bytes, which for ASCII is the order of Apple's export form.
  public static func < (lhs: ExactName, rhs: ExactName) -> Bool {
    compareUTF8(lhs.wrappedValue, rhs.wrappedValue) < 0
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var name = wrappedValue
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
