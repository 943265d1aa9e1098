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
      throw KeyedArchiveError.missingKey(path: path, key: key)
    }
    return child
  }

  /// Resolves a reference; returns nil for null.
  func node(_ target: BinaryPlist.Ref, path: String) throws -> KeyedArchiveNode? {
    var target = target
    if case .uid(let number) = archive.plist.objects[Int(target)] {
      guard number != 0 else { return nil }
      guard number < UInt64(archive.objects.count) else {
        throw KeyedArchiveError.danglingReference(
          path: path, found: number, objectCount: archive.objects.count)
      }
      target = archive.objects[Int(number)]
    }
    switch archive.plist.objects[Int(target)] {
    case .null: return nil
    case .uid:
      throw KeyedArchiveError.wrongType(
        path: path, found: "a reference to a reference", expected: "a reference to an object")
    default: break
    }
    guard target != ref, !ancestors.contains(target) else {
      throw KeyedArchiveError.cyclicReference(path: path)
    }
    guard ancestors.count < Self.maxDepth else {
      throw KeyedArchiveError.nestedTooDeep(path: path, limit: Self.maxDepth)
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
    else { throw KeyedArchiveError.missingKey(path: description.path, key: "$classname") }
    guard let listRef = plist.value(forKey: "$classes", in: description.ref),
      case .array(let refs) = plist.objects[Int(listRef)]
    else { throw KeyedArchiveError.missingKey(path: description.path, key: "$classes") }
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
      throw KeyedArchiveError.wrongType(
        path: path, found: object.kind, expected: "an object of class \(expected[0])")
    }
    guard names.contains(where: expected.contains) else {
      throw KeyedArchiveError.wrongClass(path: path, found: name.clipped, expected: expected)
    }
    return self
  }
}
