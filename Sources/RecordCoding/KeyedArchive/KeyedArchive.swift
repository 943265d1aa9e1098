import Foundation
import RecordModel

/// An archive of `NSKeyedArchiver`: a flat table of objects that refer to one another by number.
///
/// Only the objects that are accessed are interpreted.
package struct KeyedArchive: Sendable {
  /// The format version; `NSKeyedArchiver` has only ever written this one.
  package static let version: Int64 = 100_000
  /// The value of `$archiver`.
  package static let archiver = "NSKeyedArchiver"

  /// Records have at most 55 keys. Each additional key costs time for every object that has it.
  static let maxKeyCount = 512

  let plist: BinaryPlist
  /// The `$objects`: for each object, its index in the property list.
  let objects: [BinaryPlist.Ref]
  /// The index of the `$top` dictionary.
  let topRef: BinaryPlist.Ref

  /// Decodes an archive.
  ///
  /// - Throws: ``RecordCodingError``.
  package init(decoding data: Data) throws { try self.init(BinaryPlist(decoding: data)) }

  /// Creates an archive from a property list.
  ///
  /// - Throws: ``RecordCodingError`` if the list is not a keyed archive.
  package init(_ plist: BinaryPlist) throws {
    let root = plist.objects[Int(plist.top)]
    guard case .dictionary = root else {
      throw RecordCodingError.notKeyedArchive(
        found: root.kind, expected: "a dictionary with \"$archiver\"")
    }
    _ = try plist.part("$archiver", expected: "\"\(Self.archiver)\"") {
      if case .string(Self.archiver) = $0 { true } else { false }
    }
    _ = try plist.part("$version", expected: "\(Self.version)") {
      if case .integer(Self.version) = $0 { true } else { false }
    }
    let table = try plist.part("$objects", expected: "an array of objects") {
      if case .array = $0 { true } else { false }
    }
    topRef = try plist.part("$top", expected: "a dictionary of archived values") {
      if case .dictionary = $0 { true } else { false }
    }
    for case .dictionary(let entries) in plist.objects where entries.count > Self.maxKeyCount {
      throw RecordCodingError.tooLarge(
        what: "a key count", found: UInt64(entries.count),
        limit: UInt64(Self.maxKeyCount))
    }
    self.plist = plist
    objects = plist.objects[Int(table)].children
  }

  /// The values that were archived with keys.
  package var top: KeyedArchiveNode {
    KeyedArchiveNode(archive: self, ref: topRef, ancestors: [], path: "$top")
  }
}

extension BinaryPlist {
  /// Returns the index of a part of the archive.
  fileprivate func part(_ key: String, expected: String, isValid: (Object) -> Bool) throws -> Ref {
    guard let ref = value(forKey: key, in: top) else {
      throw RecordCodingError.notKeyedArchive(found: "no \"\(key)\"", expected: expected)
    }
    let object = objects[Int(ref)]
    guard isValid(object) else {
      let found =
        switch object {
        case .string(let text): "\"\(text.clipped)\""
        case .integer(let number): "\(number)"
        default: object.kind
        }
      throw RecordCodingError.notKeyedArchive(found: "\(found) as \"\(key)\"", expected: expected)
    }
    return ref
  }

  /// Returns the value of a key in the dictionary at `ref`; nil if there is no such key, or the
  /// object is not a dictionary.
  func value(forKey key: String, in ref: Ref) -> Ref? {
    guard case .dictionary(let entries) = objects[Int(ref)] else { return nil }
    return entries.first { isKey($0, key) }?.value
  }

  func isKey(_ entry: Entry, _ key: String) -> Bool {
    guard case .string(let name) = objects[Int(entry.key)] else { return false }
    return name.sameScalars(as: key)
  }
}

extension String {
  /// The string for an error, cut after 64 Unicode scalars.
  var clipped: String {
    let beginning = unicodeScalars.prefix(64)
    return beginning.endIndex == unicodeScalars.endIndex ? self : String(beginning) + "…"
  }
}

// MARK: - Errors

extension RecordCodingError {
  static func notPropertyList(found: String) -> Self {
    Self(.malformed, found: found, expected: "a binary property list (\"bplist00\")")
  }

  static func damaged(
    byteOffset: Int, objectIndex: Int?, found: String, expected: String
  ) -> Self {
    Self(
      .malformed, offset: byteOffset, path: objectIndex.map { "object \($0)" } ?? "", found: found,
      expected: expected)
  }

  static func notKeyedArchive(found: String, expected: String) -> Self {
    Self(.malformed, found: found, expected: expected)
  }

  static func tooLarge(path: String = "", what: String, found: UInt64, limit: UInt64) -> Self {
    Self(.limitExceeded, path: path, found: "\(what) of \(found)", expected: "at most \(limit)")
  }

  static func missingKey(path: String, key: String) -> Self {
    Self(path: path, found: "no \"\(key)\"", expected: "the key \"\(key)\"")
  }

  static func wrongClass(path: String, found: String, expected: [String]) -> Self {
    Self(
      path: path, found: "an object of class \(found)",
      expected: expected.joined(separator: " or "))
  }

  static func cyclicReference(path: String) -> Self {
    Self(path: path, found: "an object that contains itself", expected: "objects without cycles")
  }

  static func danglingReference(path: String, found: UInt64, objectCount: Int) -> Self {
    Self(
      path: path, found: "a reference to object \(found)",
      expected: "one of the archive's \(objectCount) objects")
  }
}
