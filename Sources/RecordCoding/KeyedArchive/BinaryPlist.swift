import Foundation

/// A binary property list (`bplist00`) as a flat table of objects, as in the file.
///
/// Containers refer to their elements by index; the table is never expanded into a tree. Memory is
/// therefore bounded by the size of the file, nesting depth is not limited, and an unchanged list
/// is encoded as the same bytes.
package struct BinaryPlist: Sendable {
  /// The index of an object in ``objects``.
  package typealias Ref = UInt32

  /// A key and its value in a dictionary.
  package struct Entry: Hashable, Sendable {
    package var key: Ref
    package var value: Ref

    package init(key: Ref, value: Ref) {
      self.key = key
      self.value = value
    }
  }

  /// An object of the table.
  package enum Object: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer greater than `Int64.max`; smaller ones are always ``integer(_:)``.
    case unsigned(UInt64)
    case float(Float)
    case real(Double)
    /// A date, in seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A string whose UTF-16 has lone surrogates. It is preserved, but cannot be read as a string.
    case malformedString([UInt16])
    /// A reference of `NSKeyedArchiver` into its `$objects`.
    case uid(UInt64)
    case array([Ref])
    case orderedSet([Ref])
    case set([Ref])
    /// The entries in the order of the file. Keys are strings, and unique.
    case dictionary([Entry])
  }

  /// The limits on a file; they are checked before its objects are read.
  package struct Limits: Hashable, Sendable {
    /// The maximum size of a file, in bytes.
    package var maxByteCount: Int
    /// The maximum number of objects.
    package var maxObjectCount: Int

    /// Creates limits; the defaults of 16 MiB and 4 million objects far exceed any record
    /// (CloudKit's limit is 1 MB).
    package init(maxByteCount: Int = 16 << 20, maxObjectCount: Int = 4_000_000) {
      self.maxByteCount = maxByteCount
      self.maxObjectCount = min(maxObjectCount, Int(Ref.max))
    }
  }

  /// The table. References are valid indices, and no container contains itself.
  package var objects: [Object]
  /// The index of the root object.
  package var top: Ref

  package init(objects: [Object], top: Ref) {
    self.objects = objects
    self.top = top
  }
}

extension BinaryPlist.Object {
  /// The objects in a container in the order of the file, keys before values.
  package var children: [BinaryPlist.Ref] {
    switch self {
    case .array(let refs), .orderedSet(let refs), .set(let refs): refs
    case .dictionary(let entries): entries.map(\.key) + entries.map(\.value)
    default: []
    }
  }

  /// The kind of the object, for errors.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
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
