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
  /// Bytes in their object, as of `encodeBytes`.
  case bytes(Data)
  /// An object with its class, followed by its superclasses, and its keys and values.
  case object(class: [String], members: [(key: String, value: KeyedArchiveContent)])
  /// A list of objects without a class, such as the `NS.objects` of a collection.
  case list([KeyedArchiveContent])

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

/// Writes an archive as `NSKeyedArchiver` does: always the same bytes for the same values.
package struct KeyedArchiveWriter {
  private var objects: [BinaryPlist.Object] = []
  /// The `$objects`: for each object, its index in the property list.
  private var table: [BinaryPlist.Ref] = []
  private var top: [BinaryPlist.Entry] = []
  /// Plain values, which are stored once and shared.
  private var shared: [SharedValue: BinaryPlist.Ref] = [:]
  private var classes: [[String]: UInt64] = [:]

  package init() { table.append(unique(.string("$null"))) }

  /// Adds a value with a key; no other value may have the same key.
  package mutating func add(_ key: String, _ content: KeyedArchiveContent) {
    let value = member(content)
    top.append(.init(key: unique(.string(key)), value: value))
  }

  /// Adds an object with a key, even if it is a plain number.
  package mutating func add(_ key: String, object content: KeyedArchiveContent) {
    let value = append(.uid(object(content)))
    top.append(.init(key: unique(.string(key)), value: value))
  }

  /// Returns the archive as a binary property list.
  package consuming func data() -> Data { plist().encoded() }

  package consuming func plist() -> BinaryPlist {
    let parts: [(String, BinaryPlist.Object)] = [
      ("$version", .integer(KeyedArchive.version)), ("$objects", .array(table)),
      ("$archiver", .string(KeyedArchive.archiver)), ("$top", .dictionary(top)),
    ]
    let entries = parts.map { key, object in
      BinaryPlist.Entry(key: unique(.string(key)), value: unique(object))
    }
    let root = append(.dictionary(entries))
    return BinaryPlist(objects: objects, top: root).sorted()
  }

  /// Returns the value of an object's key: a plain value for a number, a reference for an object.
  private mutating func member(_ content: KeyedArchiveContent) -> BinaryPlist.Ref {
    switch content {
    case .bool(let value): unique(.bool(value))
    case .integer(let value): unique(.integer(value))
    case .real(let value): unique(.real(value))
    case .bytes(let value): append(.data(value))
    case .list(let elements): append(.array(elements.map { append(.uid(object($0))) }))
    default: append(.uid(object(content)))
    }
  }

  /// Returns the number of a new object. Numbers are in the order of `NSKeyedArchiver`: an object,
  /// its contents, its class.
  private mutating func object(_ content: KeyedArchiveContent) -> UInt64 {
    let number = table.count
    switch content {
    case .null: return 0
    case .bool(let value): table.append(unique(.bool(value)))
    case .integer(let value): table.append(unique(.integer(value)))
    case .real(let value): table.append(unique(.real(value)))
    case .string(let value): table.append(unique(.string(value)))
    case .data(let value), .bytes(let value): table.append(append(.data(value)))
    case .list(let elements):
      table.append(0)
      table[number] = append(.array(elements.map { append(.uid(object($0))) }))
    case .object(let classes, let members):
      table.append(0)
      var entries = members.map { key, value in
        BinaryPlist.Entry(key: unique(.string(key)), value: member(value))
      }
      let classRef = append(.uid(classNumber(classes)))
      entries.append(.init(key: unique(.string("$class")), value: classRef))
      table[number] = append(.dictionary(entries))
    }
    return UInt64(number)
  }

  private mutating func classNumber(_ names: [String]) -> UInt64 {
    if let number = classes[names] { return number }
    let list = append(.array(names.map { unique(.string($0)) }))
    let entries = [
      BinaryPlist.Entry(key: unique(.string("$classes")), value: list),
      .init(key: unique(.string("$classname")), value: unique(.string(names.first ?? "NSObject"))),
    ]
    table.append(append(.dictionary(entries)))
    let number = UInt64(table.count - 1)
    classes[names] = number
    return number
  }

  private mutating func append(_ object: BinaryPlist.Object) -> BinaryPlist.Ref {
    objects.append(object)
    return BinaryPlist.Ref(objects.count - 1)
  }

  /// Returns the index of an equal plain value, or of the object, which is added.
  private mutating func unique(_ object: BinaryPlist.Object) -> BinaryPlist.Ref {
    guard let value = SharedValue(object) else { return append(object) }
    if let ref = shared[value] { return ref }
    let ref = append(object)
    shared[value] = ref
    return ref
  }
}

/// A plain value as a key for sharing. Strings are compared by their bytes, because canonically
/// equivalent names are different.
private enum SharedValue: Hashable {
  case bool(Bool)
  case integer(Int64)
  case real(UInt64)
  case string([UInt8])

  init?(_ object: BinaryPlist.Object) {
    switch object {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value.bitPattern)
    case .string(let value): self = .string(Array(value.utf8))
    default: return nil
    }
  }
}

extension BinaryPlist {
  /// Returns the list in CoreFoundation's order: an object, its keys, its values, each followed by
  /// its contents. Objects that the root does not contain are left out.
  package func sorted() -> BinaryPlist {
    var places = [Ref?](repeating: nil, count: objects.count)
    var order: [Ref] = []
    var stack = [top]
    while let ref = stack.popLast() {
      guard places[Int(ref)] == nil else { continue }
      places[Int(ref)] = Ref(order.count)
      order.append(ref)
      stack.append(contentsOf: objects[Int(ref)].children.reversed())
    }
    func place(_ ref: Ref) -> Ref { places[Int(ref)] ?? 0 }
    return BinaryPlist(
      objects: order.map { ref in
        switch objects[Int(ref)] {
        case .array(let refs): .array(refs.map(place))
        case .orderedSet(let refs): .orderedSet(refs.map(place))
        case .set(let refs): .set(refs.map(place))
        case .dictionary(let entries):
          .dictionary(entries.map { .init(key: place($0.key), value: place($0.value)) })
        case let object: object
        }
      }, top: 0)
  }
}
