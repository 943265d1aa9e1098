import Foundation

/// A value to add to an archive.
package indirect enum KeyedArchiveContent: Sendable {
  /// No object: a reference to object 0 in `NSKeyedArchiver`.
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data(Data)
  /// An object with its class, followed by its superclasses, and its keys and values.
  case object(class: [String], members: [(key: String, value: KeyedArchiveContent)])
  /// An existing object of the archive that is edited.
  case existing(KeyedArchiveNode)
  /// A list of objects without a class, such as the `NS.objects` of a collection.
  case list([KeyedArchiveContent])
}

extension KeyedArchiveContent {
  /// Returns an `NSDate`, in seconds since 2001-01-01 00:00:00 UTC.
  package static func date(_ seconds: Double) -> KeyedArchiveContent {
    .object(class: ["NSDate", "NSObject"], members: [("NS.time", .real(seconds))])
  }

  /// Returns an `NSArray`.
  package static func array(_ elements: [KeyedArchiveContent]) -> KeyedArchiveContent {
    .object(class: ["NSArray", "NSObject"], members: [("NS.objects", .list(elements))])
  }

  /// Returns an `NSMutableArray`.
  package static func mutableArray(_ elements: [KeyedArchiveContent]) -> KeyedArchiveContent {
    .object(
      class: ["NSMutableArray", "NSArray", "NSObject"],
      members: [("NS.objects", .list(elements))])
  }

  /// Returns an `NSMutableSet`, in the given order.
  package static func mutableSet(_ elements: [KeyedArchiveContent]) -> KeyedArchiveContent {
    .object(
      class: ["NSMutableSet", "NSSet", "NSObject"], members: [("NS.objects", .list(elements))])
  }

  /// Returns an `NSURL` without a base.
  package static func url(_ text: String) -> KeyedArchiveContent {
    .object(
      class: ["NSURL", "NSObject"], members: [("NS.base", .null), ("NS.relative", .string(text))])
  }

  /// Returns a string; null for nil.
  package static func string(orNull value: String?) -> KeyedArchiveContent {
    value.map(KeyedArchiveContent.string) ?? .null
  }
}
