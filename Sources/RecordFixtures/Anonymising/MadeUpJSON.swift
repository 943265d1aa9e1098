import Foundation
import RecordCoding
import RecordModel

/// JSON with made-up values, for the rule ``AnonymisationRule/json``.
enum MadeUpJSON {
  /// Returns JSON with some of the keys of a text, and made-up values of the same kinds; `{}` for a text that is
  /// not JSON. A list gets made-up elements like its first one.
  static func text(like text: String, keys: Set<String>, _ values: inout MadeUpValues) -> String {
    guard let json = try? JSONParser.parse(text) else { return "{}" }
    return value(like: json, keys, &values).compactText
  }

  private static func value(
    like json: JSONValue, _ keys: Set<String>, _ values: inout MadeUpValues
  ) -> JSONValue {
    switch json.content {
    case .null: return .null
    case .bool: return .bool(values.random.below(2) == 0)
    case .number(let text):
      let isWhole = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
      return isWhole ? .integer(values.integer()) : .number(text: values.double().short)
    case .string: return .string(values.text())
    case .array(let elements):
      let count = values.count()
      guard let first = elements.first else { return .array([]) }
      return .array((0..<count).map { _ in value(like: first, keys, &values) })
    case .object(let members):
      return .object(
        members.filter { keys.containsName($0.name) }
          .map { .init($0.name, value(like: $0.value, keys, &values)) })
    }
  }

  /// The keys of a text and the kinds of their values, as a hash.
  static func skeleton(of text: String) -> Int {
    (try? JSONParser.parse(text)).map(skeleton) ?? 0
  }

  private static func skeleton(_ json: JSONValue) -> Int {
    switch json.content {
    case .array(let elements): ["array".hashValue, elements.first.map(skeleton) ?? 0].hashValue
    case .object(let members):
      members.map { [ExactString($0.name).hashValue, skeleton($0.value)] }.hashValue
    case .number(let text): text.contains(".") ? 1 : 2
    default: json.kind.hashValue
    }
  }

  /// The keys of the objects in a text, at any depth; nil for a text that is no JSON object or list.
  static func keys(of text: String) -> Set<String>? {
    guard text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "["),
      let json = try? JSONParser.parse(text)
    else { return nil }
    var found: Set<String> = []
    func collect(_ json: JSONValue) {
      for member in json.members ?? [] {
        found.insert(member.name)
        collect(member.value)
      }
      json.elements?.forEach(collect)
    }
    collect(json)
    return found
  }
}

/// Keyed archives of made-up objects, for the rule ``AnonymisationRule/archive``.
enum MadeUpArchive {
  /// The classes whose objects can be made.
  static let classes = [
    "NSArray", "NSData", "NSDate", "NSDictionary", "NSMutableArray", "NSMutableDictionary",
    "NSMutableSet", "NSNumber", "NSSet", "NSString", "NSURL", "NSUUID",
  ]

  /// The class of the root of a keyed archive, if its objects can be made; nil for other bytes.
  static func rootClass(of data: Data) -> String? {
    guard data.starts(with: Data("bplist00".utf8)), let archive = try? KeyedArchive(decoding: data),
      let root = try? archive.top.child("root")
    else { return nil }
    let plain =
      (try? root.string()).map { _ in "NSString" } ?? (try? root.data()).map { _ in "NSData" }
      ?? (try? root.double()).map { _ in "NSNumber" }
    let name = (try? root.className()) ?? plain
    return name.flatMap { classes.contains($0) ? $0 : nil }
  }

  /// Returns an archive whose root is an object of a class; the collections are empty.
  static func data(of name: String, _ values: inout MadeUpValues) -> Data {
    var writer = KeyedArchiveWriter()
    writer.add("root", object: root(name, &values))
    return writer.data()
  }

  private static func root(_ name: String, _ values: inout MadeUpValues) -> KeyedArchiveContent {
    let plain = name.replacing("Mutable", with: "")
    func object(_ members: [(String, KeyedArchiveContent)]) -> KeyedArchiveContent {
      .object(
        class: (name == plain ? [name] : [name, plain]) + ["NSObject"],
        members: members.map { (key: $0, value: $1) })
    }
    switch plain {
    case "NSData": return .data(Data(values.bytes(32)))
    case "NSDate": return .date(values.date().timeIntervalSinceReferenceDate)
    case "NSURL": return .url(values.url())
    case "NSUUID": return object([("NS.uuidbytes", .bytes(Data(values.bytes(16))))])
    case "NSNumber": return .integer(values.integer())
    case "NSDictionary": return object([("NS.keys", .list([])), ("NS.objects", .list([]))])
    case "NSArray", "NSSet": return object([("NS.objects", .list([]))])
    default: return .string(values.text())
    }
  }
}
