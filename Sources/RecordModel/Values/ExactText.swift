/// Text that is compared and hashed scalar by scalar, where `String` takes canonically equivalent
/// texts ("é" in one scalar and in two) for equal: a property of a type whose equality misses no
/// difference.
@propertyWrapper
public struct ExactText<Value: ScalarComparable>: Sendable {
  /// The text.
  public var wrappedValue: Value

  /// Wraps a text.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension ExactText: Hashable {
  /// Whether both are the same sequence of Unicode scalars.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.wrappedValue.sameScalars(as: rhs.wrappedValue)
  }

  /// Hashes the scalars.
  public func hash(into hasher: inout Hasher) { wrappedValue.hashScalars(into: &hasher) }
}

extension ExactText: CustomReflectable, CustomDebugStringConvertible {
  /// As the text itself is shown.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }

  /// As the text itself is shown.
  public var debugDescription: String { String(reflecting: wrappedValue) }
}

/// Text that can be compared scalar by scalar: strings, optional ones and lists of them.
public protocol ScalarComparable: Sendable {
  /// Whether both are the same sequence of Unicode scalars.
  func sameScalars(as other: Self) -> Bool
  /// Hashes the scalars.
  func hashScalars(into hasher: inout Hasher)
}

extension String: ScalarComparable {
  /// Whether both are the same sequence of Unicode scalars.
  ///
  /// `==` takes canonically equivalent strings for equal ("é" in one scalar and in two); a
  /// database does not, and no difference may be lost.
  public func sameScalars(as other: String) -> Bool {
    let same = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { other in
        own.count == other.count
          && compareBytes(UnsafeRawBufferPointer(own), UnsafeRawBufferPointer(other)) == 0
      }
    }
    if case .some(.some(let same)) = same { return same }
    // Only strings bridged from Objective-C have no such storage.
    return utf8.elementsEqual(other.utf8)
  }

  /// Hashes the UTF-8 bytes.
  public func hashScalars(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No UTF-8 text holds this byte: it keeps texts that follow each other apart.
    hasher.combine(0xFF as UInt8)
  }
}

extension Optional: ScalarComparable where Wrapped: ScalarComparable {
  /// Whether both are nil, or the same sequence of Unicode scalars.
  public func sameScalars(as other: Wrapped?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let own?, let other?): own.sameScalars(as: other)
    default: false
    }
  }

  /// Hashes the scalars.
  public func hashScalars(into hasher: inout Hasher) {
    hasher.combine(self == nil)
    self?.hashScalars(into: &hasher)
  }
}

extension Array: ScalarComparable where Element: ScalarComparable {
  /// Whether both have the same elements, scalar by scalar.
  public func sameScalars(as other: [Element]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.sameScalars(as: $1) }
  }

  /// Hashes the elements' scalars.
  public func hashScalars(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { element.hashScalars(into: &hasher) }
  }
}
