import Foundation

/// What `NSKeyedArchiver` writes, as a flat table of objects that refer to one another by number.
///
/// Nothing of the archive is interpreted that was not asked for: keys and classes that nobody here
/// knows stay in the list, and ``encoded()`` writes them back.
package struct KeyedArchive: Sendable {
  /// The only format version that `NSKeyedArchiver` has ever written.
  package static let version: Int64 = 100_000
  /// The name under which it signs.
  package static let archiver = "NSKeyedArchiver"

  /// A record of today has 55 keys. More cost time, for each of the objects that refer to them.
  static let maximumKeyCount = 512

  let plist: BinaryPlist
  /// The `$objects`: an object's number → its place in the property list.
  let objects: [BinaryPlist.Ref]
  /// The place of the `$objects` array.
  let tableRef: BinaryPlist.Ref
  /// The place of the `$top` dictionary.
  let topRef: BinaryPlist.Ref

  /// Reads an archive.
  ///
  /// - Throws: ``KeyedArchiveError``.
  package init(decoding data: Data, limits: BinaryPlist.Limits = .init()) throws {
    try self.init(BinaryPlist(decoding: data, limits: limits))
  }

  /// Takes a property list for an archive, if it is one.
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

  /// Wraps a list that is known to be an archive: its four parts are where `init(_:)` finds them.
  init(
    plist: BinaryPlist, objects: [BinaryPlist.Ref], tableRef: BinaryPlist.Ref,
    topRef: BinaryPlist.Ref
  ) {
    self.plist = plist
    self.objects = objects
    self.tableRef = tableRef
    self.topRef = topRef
  }

  /// The archive as a binary property list; what was only read comes out as it was.
  package func encoded() -> Data { plist.encoded() }

  /// The values that were archived under a key of their own.
  package var top: KeyedArchiveNode {
    KeyedArchiveNode(archive: self, ref: topRef, ancestors: [], path: "$top")
  }
}

extension BinaryPlist {
  /// One of the four parts of an archive, and its place.
  fileprivate func header(_ key: String, expected: String) throws -> (Ref, Object) {
    guard let ref = value(forKey: key, in: top) else {
      throw KeyedArchiveError.notKeyedArchive(found: "no \"\(key)\"", expected: expected)
    }
    return (ref, objects[Int(ref)])
  }

  /// The value of a key in the dictionary at `ref`; `nil` without the key, or without a dictionary.
  func value(forKey key: String, in ref: Ref) -> Ref? {
    guard case .dictionary(let entries) = objects[Int(ref)] else { return nil }
    return entries.first { entry in
      guard case .string(let name) = objects[Int(entry.key)] else { return false }
      return name.utf8.elementsEqual(key.utf8)
    }?.value
  }
}

extension String {
  /// The beginning of a name from a foreign file, short enough for an error.
  var clipped: String {
    let beginning = unicodeScalars.prefix(64)
    return beginning.endIndex == unicodeScalars.endIndex ? self : String(beginning) + "…"
  }
}
