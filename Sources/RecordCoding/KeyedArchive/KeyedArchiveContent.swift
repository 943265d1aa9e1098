import Foundation

/// A value to put into an archive.
package indirect enum KeyedArchiveContent: Sendable {
  /// No object: `NSKeyedArchiver` refers to its object 0 for it.
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data(Data)
  /// An instance of a class, given with the classes above it, and the values of its keys.
  case object(class: [String], members: [(key: String, value: KeyedArchiveContent)])
  /// An object of the archive that is edited, as it is there.
  case existing(KeyedArchiveNode)
  /// A plain list of objects, as it lies under a collection's `NS.objects`.
  case list([KeyedArchiveContent])
}

extension KeyedArchiveContent {
  /// An `NSDate`, in seconds since 2001-01-01 00:00:00 UTC.
  package static func date(_ seconds: Double) -> KeyedArchiveContent {
    .object(class: ["NSDate", "NSObject"], members: [("NS.time", .real(seconds))])
  }

  /// An `NSArray`.
  package static func array(_ elements: [KeyedArchiveContent]) -> KeyedArchiveContent {
    .object(class: ["NSArray", "NSObject"], members: [("NS.objects", .list(elements))])
  }

  /// An `NSMutableArray`.
  package static func mutableArray(_ elements: [KeyedArchiveContent]) -> KeyedArchiveContent {
    .object(
      class: ["NSMutableArray", "NSArray", "NSObject"],
      members: [("NS.objects", .list(elements))])
  }

  /// An `NSMutableSet`, in the given order.
  package static func mutableSet(_ elements: [KeyedArchiveContent]) -> KeyedArchiveContent {
    .object(
      class: ["NSMutableSet", "NSSet", "NSObject"], members: [("NS.objects", .list(elements))])
  }

  /// An `NSURL` without a base.
  package static func url(_ text: String) -> KeyedArchiveContent {
    .object(
      class: ["NSURL", "NSObject"], members: [("NS.base", .null), ("NS.relative", .string(text))])
  }

  /// A string, or null without one.
  package static func string(orNull value: String?) -> KeyedArchiveContent {
    value.map(KeyedArchiveContent.string) ?? .null
  }
}
