import Foundation

/// An archive of `NSKeyedArchiver`: a flat table of objects that refer to one another by number.
///
/// Only the objects that are accessed are interpreted. Unknown keys and classes remain in the list,
/// and ``encoded()`` writes them back.
package struct KeyedArchive: Sendable {
  /// The format version; `NSKeyedArchiver` has only ever written this one.
  package static let version: Int64 = 100_000
  /// The value of `$archiver`.
  package static let archiver = "NSKeyedArchiver"

  /// Records have at most 55 keys. Each additional key costs time for every object that has it.
  static let maximumKeyCount = 512

  let plist: BinaryPlist
  /// The `$objects`: for each object, its index in the property list.
  let objects: [BinaryPlist.Ref]
  /// The index of the `$objects` array.
  let tableRef: BinaryPlist.Ref
  /// The index of the `$top` dictionary.
  let topRef: BinaryPlist.Ref

  /// Decodes an archive.
  ///
  /// - Throws: ``KeyedArchiveError``.
  package init(decoding data: Data, limits: BinaryPlist.Limits = .init()) throws {
    try self.init(BinaryPlist(decoding: data, limits: limits))
  }

  /// Creates an archive from a property list.
  ///
  /// - Throws: ``KeyedArchiveError`` if the list is not a keyed archive.
  package init(_ plist: BinaryPlist) throws {
    guard case .dictionary = plist.objects[Int(plist.top)] else {
      throw KeyedArchiveError.notKeyedArchive(
        found: plist.objects[Int(plist.top)].kind, expected: "a dictionary with \"$archiver\"")
    }
    let (_, archiver) = try plist.header("$archiver", expected: "\"\(Self.archiver)\"")
    guard case .string(let name) = archiver, name == Self.archiver else {
      var found = archiver.kind
      if case .string(let name) = archiver { found = "\"\(name.clipped)\"" }
      throw KeyedArchiveError.notKeyedArchive(
        found: "\(found) as \"$archiver\"", expected: "\"\(Self.archiver)\"")
    }
    let (_, version) = try plist.header("$version", expected: "\(Self.version)")
    guard case .integer(Self.version) = version else {
      var found = version.kind
      if case .integer(let number) = version { found = "\(number)" }
      throw KeyedArchiveError.notKeyedArchive(
        found: "\(found) as \"$version\"", expected: "\(Self.version)")
    }
    let (tableRef, table) = try plist.header("$objects", expected: "an array of objects")
    guard case .array(let objects) = table else {
      throw KeyedArchiveError.notKeyedArchive(
        found: "\(table.kind) as \"$objects\"", expected: "an array of objects")
    }
    let (topRef, top) = try plist.header("$top", expected: "a dictionary of archived values")
    guard case .dictionary = top else {
      throw KeyedArchiveError.notKeyedArchive(
        found: "\(top.kind) as \"$top\"", expected: "a dictionary of archived values")
    }
    for case .dictionary(let entries) in plist.objects where entries.count > Self.maximumKeyCount {
      throw KeyedArchiveError.tooLarge(
        what: "an object's key count", found: UInt64(entries.count),
        limit: UInt64(Self.maximumKeyCount))
    }
    self.plist = plist
    self.objects = objects
    self.tableRef = tableRef
    self.topRef = topRef
  }

  /// Creates an archive from a list whose parts are known.
  init(
    plist: BinaryPlist, objects: [BinaryPlist.Ref], tableRef: BinaryPlist.Ref,
    topRef: BinaryPlist.Ref
  ) {
    self.plist = plist
    self.objects = objects
    self.tableRef = tableRef
    self.topRef = topRef
  }

  /// Returns the archive as a binary property list; an unchanged one as the same bytes.
  package func encoded() -> Data { plist.encoded() }

  /// The values that were archived with keys.
  package var top: KeyedArchiveNode {
    KeyedArchiveNode(archive: self, ref: topRef, ancestors: [], path: "$top")
  }
}

extension BinaryPlist {
  /// Returns a part of the archive and its index.
  fileprivate func header(_ key: String, expected: String) throws -> (Ref, Object) {
    guard let ref = value(forKey: key, in: top) else {
      throw KeyedArchiveError.notKeyedArchive(found: "no \"\(key)\"", expected: expected)
    }
    return (ref, objects[Int(ref)])
  }

  /// Returns the value of a key in the dictionary at `ref`; nil if there is no such key, or the
  /// object is not a dictionary.
  func value(forKey key: String, in ref: Ref) -> Ref? {
    guard case .dictionary(let entries) = objects[Int(ref)] else { return nil }
    return entries.first { entry in
      guard case .string(let name) = objects[Int(entry.key)] else { return false }
      return name.utf8.elementsEqual(key.utf8)
    }?.value
  }
}

extension String {
  /// The string for an error, cut after 64 Unicode scalars.
  var clipped: String {
    let beginning = unicodeScalars.prefix(64)
    return beginning.endIndex == unicodeScalars.endIndex ? self : String(beginning) + "…"
  }
}
