/// A property wrapper for text that is compared and hashed by its Unicode scalars.
///
/// `String` treats canonically equivalent texts as equal (precomposed and decomposed "é"). With
/// this wrapper, synthesized equality detects every difference.
@propertyWrapper
public struct ExactText<Value: Sendable>: Sendable {
  /// The text.
  public var wrappedValue: Value

  /// Wraps text.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension ExactText: Equatable where Value: ScalarEquatable {
  /// Whether both have the same Unicode scalars.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.wrappedValue.sameScalars(as: rhs.wrappedValue)
  }
}

extension ExactText: Hashable where Value: ScalarEquatable {
  /// Hashes the Unicode scalars.
  public func hash(into hasher: inout Hasher) { wrappedValue.hashScalars(into: &hasher) }
}

extension ExactText: CustomReflectable, CustomDebugStringConvertible {
  /// The mirror of the text.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }

  /// The debug description of the text.
  public var debugDescription: String { String(reflecting: wrappedValue) }
}

/// Text that can be compared by its Unicode scalars: strings, optional strings and lists of
/// strings.
public protocol ScalarEquatable: Sendable {
  /// Whether both have the same Unicode scalars.
  func sameScalars(as other: Self) -> Bool
  /// Hashes the Unicode scalars.
  func hashScalars(into hasher: inout Hasher)
}

extension String: ScalarEquatable {
  /// Whether both have the same Unicode scalars.
  ///
  /// `==` treats canonically equivalent strings as equal (precomposed and decomposed "é"); a
  /// database does not.
  public func sameScalars(as other: String) -> Bool {
    if isIdentical(to: other) { return true }
    let same = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { other in
        own.count == other.count
          && compareBytes(UnsafeRawBufferPointer(own), UnsafeRawBufferPointer(other)) == 0
      }
    }
    if case .some(.some(let same)) = same { return same }
    // Only strings bridged from Objective-C lack contiguous storage.
    return utf8.elementsEqual(other.utf8)
  }

  /// Whether both are the same words in memory: a fast check that implies equality, for types and
  /// zones that most records share.
  @inline(__always)
  private func isIdentical(to other: String) -> Bool {
    typealias Words = (UInt, UInt)
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size else { return false }
    return unsafeBitCast(self, to: Words.self) == unsafeBitCast(other, to: Words.self)
  }

  /// Hashes the UTF-8 bytes.
  public func hashScalars(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // 0xFF never occurs in UTF-8; it separates consecutive strings.
    hasher.combine(0xFF as UInt8)
  }
}

extension Optional: ScalarEquatable where Wrapped: ScalarEquatable {
  /// Whether both are nil, or have the same Unicode scalars.
  public func sameScalars(as other: Wrapped?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let own?, let other?): own.sameScalars(as: other)
    default: false
    }
  }

  /// Hashes the Unicode scalars.
  public func hashScalars(into hasher: inout Hasher) {
    hasher.combine(self == nil)
    self?.hashScalars(into: &hasher)
  }
}

extension Array: ScalarEquatable where Element: ScalarEquatable {
  /// Whether both have the same elements, compared by their Unicode scalars.
  public func sameScalars(as other: [Element]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.sameScalars(as: $1) }
  }

  /// Hashes the Unicode scalars of the elements.
  public func hashScalars(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { element.hashScalars(into: &hasher) }
  }
}
