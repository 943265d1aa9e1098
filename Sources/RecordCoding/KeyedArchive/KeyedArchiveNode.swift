import Foundation

/// A value of a keyed archive, with the path to it.
///
/// A node knows the objects that contain it, so that a cycle is detected.
package struct KeyedArchiveNode: Sendable {
  /// The maximum nesting depth. Archives of records stay far below: the zone identifier in a list's
  /// element is at level five.
  static let maxDepth = 64

  /// The maximum number of elements of a list; records of 1 MB have fewer. A reference takes a byte
  /// or two in the file, but its value about a hundred times as much in memory.
  static let maxElementCount = 200_000

  let archive: KeyedArchive
  /// The index of the value in the property list.
  let ref: BinaryPlist.Ref
  /// The indices of the objects that contain the value.
  let ancestors: [BinaryPlist.Ref]
  /// The path from the top of the archive, for errors.
  package let path: String

  var object: BinaryPlist.Object { archive.plist.objects[Int(ref)] }

  // MARK: Children

  /// Returns the value of a key; nil if there is none, or it is null.
  package func child(_ key: String) throws -> KeyedArchiveNode? {
    guard let target = archive.plist.value(forKey: key, in: ref) else { return nil }
    return try node(target, path: "\(path).\(key.clipped)")
  }

  /// Returns the value of a key that must exist and not be null.
  package func required(_ key: String) throws -> KeyedArchiveNode {
    guard let child = try child(key) else {
      throw RecordCodingError.missingKey(path: path, key: key)
    }
    return child
  }

  /// Resolves a reference; returns nil for null.
  func node(_ target: BinaryPlist.Ref, path: String) throws -> KeyedArchiveNode? {
    var target = target
    if case .uid(let number) = archive.plist.objects[Int(target)] {
      guard number != 0 else { return nil }
      guard number < UInt64(archive.objects.count) else {
        throw RecordCodingError.danglingReference(
          path: path, found: number, objectCount: archive.objects.count)
      }
      target = archive.objects[Int(number)]
    }
    switch archive.plist.objects[Int(target)] {
    case .null: return nil
    case .uid:
      throw RecordCodingError(
        path: path, found: "a reference to a reference", expected: "a reference to an object")
    default: break
    }
    guard target != ref, !ancestors.contains(target) else {
      throw RecordCodingError.cyclicReference(path: path)
    }
    guard ancestors.count < Self.maxDepth else {
      throw RecordCodingError.tooLarge(
        path: path, what: "a depth", found: UInt64(ancestors.count), limit: UInt64(Self.maxDepth))
    }
    return KeyedArchiveNode(archive: archive, ref: target, ancestors: ancestors + [ref], path: path)
  }

  // MARK: Classes

  /// Returns the name of the object's class; nil if this is not an object.
  package func className() throws -> String? { try classNames().first }

  /// Returns the object's class and its superclasses; empty if this is not an object.
  package func classNames() throws -> [String] {
    let plist = archive.plist
    guard let description = try child("$class") else { return [] }
    guard let nameRef = plist.value(forKey: "$classname", in: description.ref),
      case .string(let name) = plist.objects[Int(nameRef)]
    else { throw RecordCodingError.missingKey(path: description.path, key: "$classname") }
    guard let listRef = plist.value(forKey: "$classes", in: description.ref),
      case .array(let refs) = plist.objects[Int(listRef)]
    else { throw RecordCodingError.missingKey(path: description.path, key: "$classes") }
    return [name]
      + refs.prefix(32).compactMap { ref in
        guard case .string(let ancestor) = plist.objects[Int(ref)], ancestor != name else {
          return nil
        }
        return ancestor
      }
  }

  /// Returns the node itself if it is an instance of one of these classes or their subclasses;
  /// otherwise throws an error.
  @discardableResult
  package func instance(of expected: String...) throws -> KeyedArchiveNode {
    let names = try classNames()
    guard let name = names.first else {
      throw RecordCodingError(
        path: path, found: object.kind, expected: "an object of class \(expected[0])")
    }
    guard names.contains(where: expected.contains) else {
      throw RecordCodingError.wrongClass(path: path, found: name.clipped, expected: expected)
    }
    return self
  }
}

// MARK: - Values

/// Decoding of values. Each method throws ``RecordCodingError`` if the value is of another type.
extension KeyedArchiveNode {
  /// Returns a string, archived as a plain value or an `NSString`.
  package func string() throws -> String {
    switch object {
    case .string(let value): return value
    case .malformedString:
      throw RecordCodingError(
        path: path, found: object.kind, expected: "well-formed Unicode")
    case .dictionary:
      let plain = try instance(of: "NSString").required("NS.string")
      guard case .string(let value) = plain.object else { throw plain.wrongType("a string") }
      return value
    default: throw wrongType("a string")
    }
  }

  /// Returns an integer that fits `Int64`.
  package func integer() throws -> Int64 {
    guard case .integer(let value) = object else { throw wrongType("an integer") }
    return value
  }

  /// Returns a Boolean; old archives contain 0 or 1 instead.
  package func bool() throws -> Bool {
    switch object {
    case .bool(let value): return value
    case .integer(0): return false
    case .integer(1): return true
    default: throw wrongType("a Boolean")
    }
  }

  /// Returns a double, also from an integer, as which `NSNumber` archives integral values.
  package func double() throws -> Double {
    switch object {
    case .real(let value): return value
    case .float(let value): return Double(value)
    case .integer(let value):
      guard let exact = Double(exactly: value) else { throw wrongType("a real number") }
      return exact
    default: throw wrongType("a real number")
    }
  }

  /// Returns an `NSDate`; always finite.
  package func date() throws -> Date {
    let seconds: Double
    if case .date(let value) = object {
      seconds = value
    } else {
      seconds = try instance(of: "NSDate").required("NS.time").double()
    }
    guard seconds.isFinite else {
      throw RecordCodingError(
        path: path, found: "a date that is not finite", expected: "a finite date")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Returns bytes, archived as a plain value or an `NSData`, without copying them.
  package func data() throws -> Data {
    switch object {
    case .data(let value): return value
    case .dictionary:
      guard case .data(let value) = try instance(of: "NSData").required("NS.data").object else {
        throw wrongType("data")
      }
      return value
    default: throw wrongType("data")
    }
  }

  /// Returns the results of `transform` for the elements of an `NSArray`, `NSSet` or
  /// `NSOrderedSet`, in the order of the archive.
  ///
  /// Elements are read one by one, so that a list that contains an object many times takes no more
  /// memory than the results.
  ///
  /// - Parameter limit: the maximum number of elements.
  /// - Throws: ``RecordCodingError``, also for a null element, which Foundation's collections
  ///   cannot contain.
  package func elements<T>(
    limit: Int = maxElementCount, _ transform: (KeyedArchiveNode) throws -> T
  ) throws -> [T] {
    try instance(of: "NSArray", "NSSet", "NSOrderedSet")
    let refs = try members("NS.objects")
    guard refs.count <= limit else {
      throw RecordCodingError.tooLarge(
        path: path, what: "an element count", found: UInt64(refs.count),
        limit: UInt64(limit))
    }
    return try refs.enumerated().map { try transform(element($1, $0)) }
  }

  /// Calls `body` with each key and value of an `NSDictionary` with string keys, in the order of
  /// the archive, omitting null values.
  package func forEachEntry(_ body: (String, KeyedArchiveNode) throws -> Void) throws {
    try instance(of: "NSDictionary")
    let keys = try members("NS.keys")
    let values = try members("NS.objects")
    guard keys.count == values.count else {
      throw RecordCodingError(
        path: path, found: "\(keys.count) keys and \(values.count) values",
        expected: "equal numbers of keys and values")
    }
    for (index, (key, value)) in zip(keys, values).enumerated() {
      let name = try element(key, index).string()
      guard let child = try node(value, path: "\(path).\(name.clipped)") else { continue }
      try body(name, child)
    }
  }

  /// Returns the text of an `NSURL`, resolved against its base if it has one.
  package func url() throws -> String {
    try instance(of: "NSURL")
    let relative = try required("NS.relative").string()
    guard let base = try child("NS.base") else { return relative }
    let text = try base.url()
    return URL(string: relative, relativeTo: URL(string: text))?.absoluteString ?? relative
  }

  private func members(_ key: String) throws -> [BinaryPlist.Ref] {
    guard let listRef = archive.plist.value(forKey: key, in: ref) else {
      throw RecordCodingError.missingKey(path: path, key: key)
    }
    guard case .array(let refs) = archive.plist.objects[Int(listRef)] else {
      throw RecordCodingError(
        path: "\(path).\(key)", found: archive.plist.objects[Int(listRef)].kind,
        expected: "an array")
    }
    return refs
  }

  private func element(_ target: BinaryPlist.Ref, _ index: Int) throws -> KeyedArchiveNode {
    let elementPath = "\(path)[\(index)]"
    guard let element = try node(target, path: elementPath) else {
      throw RecordCodingError(path: elementPath, found: "null", expected: "an object")
    }
    return element
  }

  private func wrongType(_ expected: String) -> RecordCodingError {
    let found = ((try? className()) ?? nil).map { "an object of class \($0.clipped)" }
    return RecordCodingError(path: path, found: found ?? object.kind, expected: expected)
  }
}
