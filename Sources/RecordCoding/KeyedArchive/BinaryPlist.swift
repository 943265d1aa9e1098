import Foundation

/// A binary property list (`bplist00`) as the flat table of objects that its file is.
///
/// The table is never expanded into a tree: a container names its elements by their place in the
/// table. So a small file that refers to the same containers over and over stays small in memory,
/// no nesting is too deep, and a list that was only read is written back as it was.
package struct BinaryPlist: Sendable {
  /// An object's place in ``objects``.
  package typealias Ref = UInt32

  /// One key and its value in a dictionary.
  package struct Entry: Hashable, Sendable {
    package var key: Ref
    package var value: Ref

    package init(key: Ref, value: Ref) {
      self.key = key
      self.value = value
    }
  }

  /// One object of the table.
  package enum Object: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer over `Int64.max`; smaller ones are always ``integer(_:)``.
    case unsigned(UInt64)
    case float(Float)
    case real(Double)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A string whose UTF-16 has lone surrogates: kept for the round trip, never handed out.
    case malformedString([UInt16])
    /// `NSKeyedArchiver`'s reference into its `$objects`.
    case uid(UInt64)
    case array([Ref])
    case orderedSet([Ref])
    case set([Ref])
    /// The entries in the order of the file; every key is a string and none comes twice.
    case dictionary([Entry])
  }

  /// What a reader accepts before it looks any further.
  package struct Limits: Hashable, Sendable {
    /// The most bytes a file may have.
    package var byteCount: Int
    /// The most objects a file may have.
    package var objectCount: Int

    /// Defaults: 16 MiB and 4 million objects, far over any record (CloudKit's limit is 1 MB).
    package init(byteCount: Int = 16 << 20, objectCount: Int = 4_000_000) {
      self.byteCount = byteCount
      self.objectCount = min(objectCount, Int(Ref.max))
    }
  }

  /// The table. References in it are below its count, and no container contains itself.
  package var objects: [Object]
  /// The object that stands for the whole list.
  package var top: Ref

  package init(objects: [Object], top: Ref) {
    self.objects = objects
    self.top = top
  }
}

extension BinaryPlist.Object {
  /// The objects that a container holds, keys before values, in the order of the file.
  package var children: [BinaryPlist.Ref] {
    switch self {
    case .array(let refs), .orderedSet(let refs), .set(let refs): refs
    case .dictionary(let entries): entries.map(\.key) + entries.map(\.value)
    default: []
    }
  }

  /// The kind of object in words, for errors.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned: "an integer"
    case .float, .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .malformedString: "a string with lone surrogates"
    case .uid: "an object reference"
    case .array: "an array"
    case .orderedSet: "an ordered set"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
