import Foundation
import RecordModel

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

  /// Returns the content of a value; null for nil.
  static func orNull<T>(_ value: T?, _ content: (T) -> Self) -> Self {
    value.map(content) ?? .null
  }
}

extension KeyedArchiveContent: Equatable {
  /// Whether both are archived as the same bytes; an existing object is never equal.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): a.sameScalars(as: b)
    case (.data(let a), .data(let b)): a == b
    case (.object(let a, let own), .object(let b, let others)):
      a == b && own.count == others.count && zip(own, others).allSatisfy { $0 == $1 }
    case (.list(let a), .list(let b)): a == b
    default: false
    }
  }
}
