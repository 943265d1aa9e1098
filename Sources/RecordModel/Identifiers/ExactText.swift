import Foundation

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

/// A name for dictionary keys, sets and comparisons: equal only if the Unicode scalars are equal,
/// ordered by its UTF-8 bytes.
///
/// `String` treats canonically equivalent texts as equal (precomposed and decomposed "é").
/// Databases do not, so names that may come from one must not be compared as strings.
package struct ExactString: Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }
}

extension ExactString: Hashable {
  package static func == (lhs: ExactString, rhs: ExactString) -> Bool {
    lhs.string.sameScalars(as: rhs.string)
  }

  package func hash(into hasher: inout Hasher) { string.hashScalars(into: &hasher) }
}

extension ExactString: Comparable {
  package static func < (lhs: ExactString, rhs: ExactString) -> Bool {
    compareUTF8(lhs.string, rhs.string) < 0
  }
}

extension ExactString: ExpressibleByStringLiteral, CustomStringConvertible {
  package init(stringLiteral value: String) { self.init(value) }

  package var description: String { string }
}

extension Set<String> {
  /// Whether the set contains a name with the same Unicode scalars.
  package func containsName(_ name: String) -> Bool {
    // `firstIndex(of:)` also finds canonically equivalent names.
    firstIndex(of: name).map { self[$0].sameScalars(as: name) } ?? false
  }
}

/// A set of names. Two names are the same only where they are the same Unicode scalars.
///
/// A `Set<String>` holds only one of two canonically equivalent texts ("é" in one scalar and in
/// two), and finds it by either. A database may hold both.
public struct NameSet: Sendable, Hashable {
  private var keys: Set<ExactString>

  /// Creates a set of names.
  public init(_ names: some Sequence<String>) { keys = Set(names.lazy.map { ExactString($0) }) }

  /// Whether there are no names.
  package var isEmpty: Bool { keys.isEmpty }

  /// The names, in the order of their UTF-8 bytes.
  package var names: [String] { keys.sorted().map(\.string) }

  /// Whether a name is in the set.
  package func contains(_ name: String) -> Bool { keys.contains(ExactString(name)) }

  /// Adds a name.
  ///
  /// - Returns: whether the set did not contain it.
  @discardableResult
  package mutating func insert(_ name: String) -> Bool { keys.insert(ExactString(name)).inserted }
}

extension NameSet: ExpressibleByArrayLiteral {
  /// Creates a set of names.
  public init(arrayLiteral names: String...) { self.init(names) }
}

/// Compares two strings by their UTF-8 bytes.
///
/// All output is in this order: it is the same on every platform and for every Unicode version.
/// `String.<` goes by canonical equivalence, which guarantees neither.
///
/// - Returns: a negative number, zero or a positive number.
package func compareUTF8(_ lhs: String, _ rhs: String) -> Int {
  var left = lhs
  var right = rhs
  return left.withUTF8 { a in
    right.withUTF8 { b in compareBytes(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
  }
}

/// Compares two byte strings lexicographically.
///
/// - Returns: a negative number, zero or a positive number.
package func compareBytes(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
  let shared = min(lhs.count, rhs.count)
  if shared > 0, let left = lhs.baseAddress, let right = rhs.baseAddress {
    let order = memcmp(left, right, shared)
    if order != 0 { return Int(order) }
  }
  return lhs.count - rhs.count
}

extension UnsafeRawBufferPointer {
  /// Whether a byte is among these; faster than `contains(_:)`, which looks at them one by one.
  package func hasByte(_ byte: UInt8) -> Bool {
    baseAddress.flatMap { memchr($0, Int32(byte), count) } != nil
  }
}

/// Returns the index of a name among unique names that are sorted by their UTF-8 bytes.
@inline(__always)
package func sortedIndex(of name: String, count: Int, _ names: (Int) -> String) -> Int? {
  // In a few names, comparing for equality is faster than for order.
  guard count > 16 else {
    for index in 0..<count {
      let other = names(index)
      // `==` rejects most names fast; it also accepts canonically equivalent ones.
      if other == name, other.sameScalars(as: name) { return index }
    }
    return nil
  }
  var (low, high) = (0, count)
  while low < high {
    let middle = low + (high - low) / 2
    let order = compareUTF8(names(middle), name)
    if order == 0 { return middle }
    if order < 0 { low = middle + 1 } else { high = middle }
  }
  return nil
}

extension String {
  /// Returns the text with a part replaced, even within a character: `replacing(_:with:)` takes a
  /// quotation mark before a combining mark for another character.
  package func replacingLiterally(_ part: String, with other: String) -> String {
    replacingOccurrences(of: part, with: other, options: .literal)
  }

  /// Creates a string without checking its bytes again, where the system can.
  ///
  /// - Parameters:
  ///   - bytes: Valid UTF-8: anything else is undefined.
  ///   - isASCII: Whether all bytes are certainly ASCII.
  package init(validUTF8 bytes: UnsafeRawBufferPointer, isASCII: Bool = false) {
    // The standard library finds out that bytes are ASCII faster than it stores them. It takes
    // three times as long to check others.
    #if compiler(>=6.2)
      if !isASCII, #available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *) {
        self = bytes.withMemoryRebound(to: UInt8.self) {
          String(copying: UTF8Span(unchecked: $0.span))
        }
        return
      }
    #endif
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether this is a C0 or C1 control, a line or paragraph separator, or a bidirectional
  /// formatting character: text from a file must not control a terminal or reorder other text.
  package var isControlling: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The scalar as `\u001b`; all controls fit into four digits.
  package var spelledOut: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
