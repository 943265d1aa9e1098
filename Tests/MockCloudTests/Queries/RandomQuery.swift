import Foundation
import RecordModel

/// Random records with values of all types, and random queries for them.
struct RandomQueries {
  var random: SeededGenerator

  static let zones = [ZoneID.default, notes, ZoneID(zoneName: "Archive")]
  static let types = ["Note", "Chat"]
  private static let names = (0..<40).map { "r\($0)" }
  private static let strings = [
    "", "a", "ab", "aB", "abc", "b", "é", "e\u{301}", "z", "\u{10FFFF}", "a\u{0}b", "日本",
  ]
  private static let texts = [
    "Hello World", "hello, Café!", "the cafe is open", "Мир и труд", "ÇA VA", "world", "a b c", "",
  ]
  private static let numbers: [RecordValue] = [
    .int64(0), .int64(-1), .int64(1), .int64(7), .int64(.max), .int64(.min),
    .int64(9_007_199_254_740_993), .double(9_007_199_254_740_992), .double(-0.0), .double(0.5),
    .double(-1), .double(1e300), .double(-1e300), .double(0x1p63), .double(7),
  ]
  private static let places = [
    Location(latitude: 0, longitude: 0), Location(latitude: 59.3, longitude: 18.1),
    Location(latitude: 59.9, longitude: 10.7), Location(latitude: -33.9, longitude: 151.2),
    Location(latitude: 48.2, longitude: 16.4), Location(latitude: 1, longitude: 179.9),
    Location(latitude: 1, longitude: -179.9), Location(latitude: 90, longitude: 0),
  ]

  private mutating func number() -> RecordValue { random.pick(Self.numbers) }
  private mutating func string() -> String { random.pick(Self.strings) }
  private mutating func date() -> Date { testDate.addingTimeInterval(Double(random.below(6)) / 8) }
  private mutating func bytes() -> Data {
    Data((0..<random.below(3)).map { _ in UInt8(random.below(3) * 127) })
  }
  private mutating func place() -> Location { random.pick(Self.places) }
  private mutating func reference(_ zoneID: ZoneID) -> Reference {
    Reference(recordID: id(random.pick(Array(Self.names.prefix(5))), in: zoneID))
  }
  private mutating func list<T>(_ body: (inout Self) -> T) -> [T] {
    (0..<random.below(4)).map { _ in body(&self) }
  }

  // MARK: Records

  mutating func recordID() -> RecordID {
    id(random.pick(Self.names), in: random.pick(Self.zones))
  }

  mutating func draft() -> DraftRecord {
    let recordID = recordID()
    let zoneID = recordID.zoneID
    var draft = DraftRecord(recordType: random.pick(Self.types), recordID: recordID)
    func set(_ name: String, _ value: RecordValue) {
      draft[name] = value
    }
    if !random.chance(4) { set("number", number()) }
    if !random.chance(4) { set("text", .string(random.pick(Self.texts))) }
    if !random.chance(4) { set("string", .string(string())) }
    if !random.chance(3) { set("date", .timestamp(date())) }
    if random.chance(2) { set("bytes", .bytes(bytes())) }
    if random.chance(2) { set("place", .location(place())) }
    if random.chance(2) { set("ref", .reference(reference(zoneID))) }
    if random.chance(2) { set("strings", list { $0.string() }.recordValue) }
    if random.chance(2) { set("dates", list { $0.date() }.recordValue) }
    if random.chance(2) { set("refs", list { $0.reference(zoneID) }.recordValue) }
    if random.chance(3) { set("places", list { $0.place() }.recordValue) }
    if random.chance(4) { set("empty", .emptyList) }
    if random.chance(3) { draft.encryptedValues["secret"] = string() }
    return draft
  }

  // MARK: Queries

  /// A query, and a predicate that means the same.
  struct Query {
    var query: RecordQuery
    var format: String
    var arguments: [any RecordValueConvertible]
    var hasPredicate = true
  }

  mutating func query(in zoneID: ZoneID?) -> Query {
    var query = RecordQuery(recordType: random.pick(Self.types))
    var formats: [String] = []
    var arguments: [any RecordValueConvertible] = []
    var hasPredicate = true
    for _ in 0..<random.pick([0, 1, 1, 1, 2, 2, 3]) {
      let filter = filter(in: zoneID ?? notes)
      query.filters.append(filter)
      guard let format = Self.formats[filter.comparator], filter.fieldName != "empty" else {
        hasPredicate = false
        continue
      }
      formats.append(format)
      let isReversed = [.listContainsAny, .listContainsAll].contains(filter.comparator)
      let names = filter.comparator.isSearch ? [] : [filter.fieldName]
      let values: [any RecordValueConvertible] = [filter.fieldValue]
      arguments += isReversed ? values + names : names + values
      if filter.comparator == .near { arguments.append(filter.distance ?? 0) }
      if filter.comparator.isSearch && filter.fieldName != QueryFilter.allText {
        hasPredicate = false
      }
    }
    let count = random.pick([0, 0, 1, 1, 1, 2, 3])
    for _ in 0..<count {
      if random.chance(6) {
        query.sort.append(
          QuerySort("place", ascending: random.chance(2), relativeLocation: place()))
      } else {
        let field = random.pick([
          "number", "string", "date", "text", "bytes", "___recordID", "___modTime", "strings",
          "secret", "place", "ref",
        ])
        query.sort.append(QuerySort(field, ascending: random.chance(2)))
      }
    }
    return Query(
      query: query, format: formats.joined(separator: " AND "), arguments: arguments,
      hasPredicate: hasPredicate && !formats.isEmpty)
  }

  private static let formats: [QueryFilter.Comparator: String] = [
    .equals: "%K = %@", .notEquals: "%K != %@", .lessThan: "%K < %@",
    .lessThanOrEquals: "%K <= %@", .greaterThan: "%K > %@", .greaterThanOrEquals: "%K >= %@",
    .in: "%K IN %@", .notIn: "NOT (%K IN %@)", .beginsWith: "%K BEGINSWITH %@",
    .notBeginsWith: "NOT (%K BEGINSWITH %@)", .listContains: "%K CONTAINS %@",
    .notListContains: "NOT (%K CONTAINS %@)", .listContainsAny: "ANY %@ IN %K",
    .listContainsAll: "ALL %@ IN %K", .listMemberBeginsWith: "ANY %K BEGINSWITH %@",
    .near: "distanceToLocation:fromLocation:(%K, %@) < %f", .containsAllTokens: "self CONTAINS %@",
  ]

  private mutating func filter(in zoneID: ZoneID) -> QueryFilter {
    let comparator = random.pick(QueryFilter.Comparator.allCases)
    switch comparator {
    case .near:
      return QueryFilter(
        "place", .near, .location(place()), distance: random.pick([1, 500_000, 2e6, 1e7, 3e7]))
    case .containsAllTokens, .containsAnyTokens:
      return QueryFilter(
        random.pick([QueryFilter.allText, "text", "strings"]), comparator,
        .string(
          random.pick(["hello", "CAFE", "cafe hello", "мир", "world труд", "ca", "b", "", "é"])))
    case .beginsWith, .notBeginsWith:
      return QueryFilter(
        random.pick(["string", "text", "number"]), comparator,
        .string(random.pick(["", "a", "e", "é", "h"])))
    case .listMemberBeginsWith, .notListMemberBeginsWith:
      return QueryFilter("strings", comparator, .string(random.pick(["", "a", "e", "é"])))
    case .listContains, .notListContains:
      let (name, value, _) = field(in: zoneID, isList: true)
      return QueryFilter(name, comparator, value)
    case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll,
      .notListContainsAll:
      let isList = comparator != .in && comparator != .notIn
      let (name, _, values) = field(in: zoneID, isList: isList)
      return QueryFilter(name, comparator, values)
    default:
      let (name, value, _) = field(in: zoneID, isList: false)
      return QueryFilter(name, comparator, value)
    }
  }

  /// A field, a value for it, and a list of such values.
  private mutating func field(
    in zoneID: ZoneID, isList: Bool
  ) -> (String, RecordValue, RecordValue) {
    func several<T: RecordValueConvertible>(_ body: (inout Self) -> T) -> RecordValue {
      (0...random.below(3)).map { _ in body(&self) }.recordValue
    }
    switch random.below(isList ? 5 : 9) {
    case 0: return (isList ? "strings" : "string", .string(string()), several { $0.string() })
    case 1: return (isList ? "dates" : "date", .timestamp(date()), several { $0.date() })
    case 2:
      return (
        isList ? "refs" : "ref", .reference(reference(zoneID)), several { $0.reference(zoneID) }
      )
    case 3: return (isList ? "places" : "place", .location(place()), several { $0.place() })
    case 4: return (isList ? "empty" : "secret", .string(string()), several { $0.string() })
    case 5: return ("bytes", .bytes(bytes()), several { $0.bytes() })
    case 6:
      return (
        "___recordID", .reference(Reference(recordID: recordID())),
        several { Reference(recordID: $0.recordID()) }
      )
    case 7: return ("___modTime", .timestamp(date()), several { $0.date() })
    default: return ("number", number(), several { $0.random.pick([0.5, 7, -1]) })
    }
  }
}

extension QueryFilter.Comparator {
  fileprivate var isSearch: Bool { self == .containsAllTokens || self == .containsAnyTokens }
}
