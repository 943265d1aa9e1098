import Foundation
import RecordArchive
import RecordMigration
import RecordModel
import RecordPages
import RecordSchema
import RecordStore
import RecordText
import Synchronization

/// The records to which a condition does not apply: a function of it has no value. They do not match.
final class UnjudgedRecords: Sendable {
  private struct Found {
    /// A query may look at a record more than once.
    var recordIDs: Set<RecordID> = []
    var first: (recordID: RecordID, error: MigrationError)?
  }

  private let found = Mutex(Found())

  var count: Int { found.withLock { $0.recordIDs.count } }

  func add(_ recordID: RecordID, _ error: MigrationError) {
    found.withLock {
      $0.recordIDs.insert(recordID)
      $0.first = $0.first ?? (recordID, error)
    }
  }

  /// The number, with the first record and the cause; nil for none.
  func html(_ context: ConsoleRequest, _ database: DatabaseScope) -> HTML? {
    let (count, first) = found.withLock { ($0.recordIDs.count, $0.first) }
    guard let first else { return nil }
    return """
      <p class="problem">The condition does not apply to \(Numbers.count(count, "record")). \
      \(context.anchor(first.recordID, in: database)): \(first.error.message)</p>
      """
  }
}

/// The records of one type in a zone that the address of a table asks for, and their order.
struct RecordListing {
  let context: ConsoleRequest
  let database: DatabaseScope
  let zoneID: ZoneID
  let type: String

  static let pageSizes = [25, 50, 100, 200]
  /// Above so many records of the type, a filter searches so many for a page, and those that match
  /// are counted only when somebody asks.
  static let maxSearched = 20_000
  static let countName = "count"
  /// The fields that a record must have, and must not have.
  static let (hasName, lacksName) = ("has", "lacks")

  /// Whether only some records of the type are asked for.
  var isFiltered: Bool {
    ["where", Self.hasName, Self.lacksName].contains { context.value($0) != nil }
  }

  /// The sort descriptor of the query: a field's name, with a `-` before it for descending order.
  var sort: QuerySort? {
    context.value("sort").flatMap { text in
      let isDescending = text.hasPrefix("-")
      let name = isDescending ? String(text.dropFirst()) : text
      return name.isEmpty ? nil : QuerySort(name, ascending: !isDescending)
    }
  }

  var pageSize: Int {
    context.value("limit").flatMap(Int.init).flatMap { Self.pageSizes.contains($0) ? $0 : nil }
      ?? Self.pageSizes[1]
  }

  // MARK: Reading

  /// Whether somebody has asked to search all records, however many there are.
  var searchesAll: Bool { context.value(Self.countName) != nil }

  /// The records of the page that the address asks for.
  ///
  /// - Parameters:
  ///   - total: the number of records of the type.
  ///   - unjudged: Collects the records for which a function of the condition has no value.
  func page(of total: Int, _ unjudged: UnjudgedRecords) throws -> QueryPage {
    let match = try match(unjudged)
    let after = context.value("after").flatMap { QueryPosition(pageText: $0, zoneID) }
    guard after.map({ $0.keys.count == match.sort.count }) ?? true else {
      throw WebError(.badRequest, "'after' belongs to another order")
    }
    let isLimited = isFiltered && total > Self.maxSearched && !searchesAll
    return try page(
      match, after: after, limit: pageSize, maxSearched: isLimited ? Self.maxSearched : nil)
  }

  /// Returns the first records of the type, whatever the address asks for, if the columns of the type
  /// depend on them.
  func first(_ type: CloudSchema.RecordType?) throws -> [ResultRecord] {
    RecordColumns.hasTooMany(type) ? try firstRecords() : []
  }

  private func firstRecords() throws -> [ResultRecord] {
    let request = QueryPageRequest(
      QueryMatch(RecordQuery(recordType: type)), in: database, searching: { $0 == zoneID },
      limit: Self.pageSizes[1])
    return try context.store.page(request).records
  }

  /// Returns the next records.
  func page(
    _ match: QueryMatch, after: QueryPosition?, limit: Int, maxSearched: Int? = nil
  ) throws -> QueryPage {
    var request = QueryPageRequest(
      match, in: database, searching: { $0 == zoneID }, after: after, limit: limit)
    request.includes = hasFields
    request.maxSearched = maxSearched
    return try context.store.page(request)
  }

  /// Returns Core Data's records as objects, with the relationships that the table shows.
  func objects(_ stored: [ResultRecord]) throws -> [ResultRecord] {
    let relationships = try context.source.relationships(
      of: stored.map { (database, $0) }, maxLinks: RecordDetailView.maxSearched)
    return stored.map { record in
      record.asObject(relationships.found[RecordLocation(database, record.recordID)] ?? .init())
    }
  }

  /// Whether a record has the field that the address asks for, and not the other one. Encrypted
  /// fields are seen, and their values are not.
  private func hasFields(_ record: ResultRecord) -> Bool {
    func has(_ name: String) -> Bool {
      record.field(named: name) != nil || record.field(named: CoreDataNames.prefix + name) != nil
    }
    if let name = context.value(Self.hasName), !has(name) { return false }
    if let name = context.value(Self.lacksName), has(name) { return false }
    return true
  }

  /// The condition and the order of the address.
  ///
  /// - Throws: `QueryPredicateError`.
  func match(_ unjudged: UnjudgedRecords = UnjudgedRecords()) throws -> QueryMatch {
    let condition = try RecordCondition(context.value("where") ?? "TRUEPREDICATE")
    let isMirrored = CoreDataNames.isMirrored(type)
    let schemaType = try context.schemaType(type)
    func storedName(_ name: String) -> String {
      isMirrored ? Self.storedName(name, schemaType) : name
    }
    try checkFields(of: condition, schemaType, storedName)
    return try condition.match(
      type, sort: sort.map { [$0] } ?? [], in: context.source, database, storedName: storedName,
      shown: { isMirrored ? $0.asObject(.init()) : $0 },
      failed: { unjudged.add($0.recordID, $1) })
  }

  /// Checks that the schema, or one of the first ``maxSearched`` records, has the fields of a condition.
  ///
  /// - Throws: `QueryPredicateError`.
  private func checkFields(
    of condition: RecordCondition, _ schemaType: CloudSchema.RecordType?,
    _ storedName: (String) -> String
  ) throws {
    let declared = NameSet((schemaType?.fields ?? []).map(\.name))
    for field in condition.fields {
      let name = storedName(field.name)
      if declared.contains(name) { continue }
      let page = try searched { $0.field(named: name) != nil }
      guard page.results.isEmpty, !page.isCut else { continue }
      let records = try firstRecords()
      if records.isEmpty, schemaType == nil { continue }
      let known = declared.names + records.flatMap(\.fields).map(\.name)
      var near = NearNames(field.name)
      for name in known { near.add(CoreDataNames.attributeName(name) ?? name) }
      throw QueryPredicateError(
        field.column, "no record of the type has a field '\(field.name)'\(near.hint)")
    }
  }

  /// Returns the first of ``maxSearched`` records that meets a condition.
  private func searched(
    _ isIncluded: @escaping @Sendable (ResultRecord) -> Bool
  ) throws -> QueryPage {
    var request = QueryPageRequest(
      QueryMatch(RecordQuery(recordType: type)), in: database, searching: { $0 == zoneID }, limit: 1
    )
    request.maxSearched = Self.maxSearched
    request.includes = isIncluded
    return try context.store.page(request)
  }

  /// Whether the condition compares a field that the schema encrypts or, without its type there,
  /// one of the first ``maxSearched`` records. The address then has what may be an encrypted value.
  ///
  /// A text that is no condition must not name such a field at all.
  func comparesEncrypted() throws -> Bool {
    guard let text = context.value("where") else { return false }
    let isMirrored = CoreDataNames.isMirrored(type)
    let schemaType = try context.schemaType(type)
    let compared = (try? RecordCondition(text))?.comparedFields.map {
      isMirrored ? Self.storedName($0.name, schemaType) : $0.name
    }
    @Sendable func isCompared(_ name: String) -> Bool {
      guard let compared else {
        return text.contains(CoreDataNames.attributeName(name) ?? name)
      }
      return compared.contains { $0.sameScalars(as: name) }
    }
    if let schemaType {
      return schemaType.fields.contains { $0.type.isEncrypted && isCompared($0.name) }
    }
    if compared?.isEmpty == true { return false }
    return try !searched { $0.fields.contains { $0.isEncrypted && isCompared($0.name) } }
      .records.isEmpty
  }

  /// Returns the name of the field in CloudKit for an attribute that a condition names.
  private static func storedName(_ name: String, _ type: CloudSchema.RecordType?) -> String {
    let isField = name.hasPrefix(CoreDataNames.prefix) || type?.field(named: name) != nil
    return isField ? name : CoreDataNames.prefix + name
  }

  /// Returns the number of records that match; nil if there are too many records to count them
  /// unasked.
  ///
  /// - Parameters:
  ///   - total: the number of records of the type.
  ///   - unjudged: Collects the records for which a function of the condition has no value.
  func count(of total: Int, _ unjudged: UnjudgedRecords) throws -> Int? {
    guard isFiltered else { return total }
    guard total <= Self.maxSearched || searchesAll else { return nil }
    let match = try match(unjudged)
    var count = 0
    var after: QueryPosition?
    repeat {
      let page = try page(match, after: after, limit: Self.maxSearched)
      count += page.results.count
      after = page.last
    } while after != nil
    return count
  }

  // MARK: Links

  /// The items of the address that decide which records are shown, and how.
  private static let kept: Set<String> = [
    "database", "zone", "owner", "type", "where", hasName, lacksName, "limit", RecordColumns.name,
    layoutName, "sort", countName, ConsoleRequest.disclosureName,
  ]
  static let layoutName = "layout"

  /// Returns the items of the address without some, and without the place among the pages.
  func items(without names: Set<String> = []) -> [(String, String?)] {
    context.items.filter {
      Self.kept.contains($0.name) && !names.contains($0.name) && !$0.value.isEmpty
    }
    .map { ($0.name, $0.value) }
  }

  /// Inputs that keep the address, except some items.
  func hiddenInputs(without names: Set<String>) -> [HTML] {
    items(without: names).compactMap { name, value in
      value.map { ConsoleRequest.hiddenInput(name, $0) }
    }
  }

  /// The places after which the pages before this one begin, the first page first; empty text is
  /// the beginning.
  ///
  /// Records come in one direction only, so that the way back is in the address.
  private var way: [String] { context.items.filter { $0.name == "back" }.map(\.value) }
  /// The length of a way that is kept, in bytes; addresses have limits.
  private static let maxWay = 3000

  /// The number of records before this page; nil if that is not known.
  var offset: Int? {
    guard context.value("after") != nil else { return 0 }
    return way.first == "" ? way.count * pageSize : nil
  }

  /// Links to the page before, the next page and the first page.
  func pageLinks(_ page: QueryPage) -> HTML? {
    func link(
      _ title: String, _ relation: HTML?, _ key: String, after: String?,
      _ way: some Sequence<String>
    ) -> HTML {
      let path = context.link(
        .records, items() + [("after", after)] + way.map { ("back", $0) })
      let relation: HTML? = relation.map { " rel=\"\($0)\"" }
      return
        "<a class=\"button plain\"\(relation) href=\"\(path)\" accesskey=\"\(key)\">\(title)</a>"
    }
    var links: [HTML] = []
    let title = page.isCut ? "Search on" : "Next page"
    let after = context.value("after")
    if let after {
      if way.count != 1 || way.first != "" {
        links.append(link("First page", nil, "a", after: nil, []))
      }
      if let previous = way.last {
        links.append(
          link(
            "Previous page", "prev", "p", after: previous.isEmpty ? nil : previous, way.dropLast()))
      }
      if let last = page.last {
        var next = way + [after]
        while next.reduce(0, { $0 + $1.utf8.count }) > Self.maxWay { next.removeFirst() }
        links.append(link(title, "next", "n", after: last.pageText, next))
      }
    } else if let last = page.last {
      links.append(link(title, "next", "n", after: last.pageText, [""]))
    }
    guard !links.isEmpty else { return nil }
    return "<nav class=\"pages\" aria-label=\"Pages\">\(links)</nav>"
  }
}

extension QueryPosition {
  /// The position as a value in the address of the next page.
  var pageText: String {
    ([recordID.recordName] + keys.map { Data($0.bytes).base64EncodedString() })
      .map(\.percentEncoded).joined(separator: "&")
  }

  init?(pageText: String, _ zoneID: ZoneID) {
    let parts = pageText.split(separator: "&", omittingEmptySubsequences: false).map {
      $0.percentDecoded
    }
    guard let name = parts.first ?? nil, !name.isEmpty else { return nil }
    var keys: [IndexKey] = []
    for part in parts.dropFirst() {
      guard let part, let bytes = Data(base64Encoded: part) else { return nil }
      keys.append(IndexKey(bytes: Array(bytes)))
    }
    self.init(keys: keys, recordID: RecordID(recordName: name, zoneID: zoneID))
  }
}
