import Foundation
import RecordMigration
import RecordModel
import RecordPages
import RecordSchema
import RecordStore
import RecordText
import Synchronization

/// The records to which a condition does not apply: a function of it has no value. They do not match.
final class UnjudgedRecords: Sendable {
  /// The records, as a query may look at one more than once, and the first of them.
  private let found = Mutex<
    (recordIDs: Set<RecordID>, first: (recordID: RecordID, error: MigrationError)?)
  >(([], nil))

  var count: Int { found.withLock { $0.recordIDs.count } }

  func add(_ recordID: RecordID, _ error: MigrationError) {
    found.withLock {
      $0.recordIDs.insert(recordID)
      $0.first = $0.first ?? (recordID, error)
    }
  }

  /// The number, with the first record and the cause; nil for none.
  func html(_ context: ConsoleRequest, _ database: DatabaseScope) -> HTML? {
    let found = found.withLock(\.self)
    guard let first = found.first else { return nil }
    return """
      <p class="problem">The condition does not apply to \(Numbers.count(found.recordIDs.count, "record")). \
      \(context.anchor(first.recordID, in: database)): \(first.error.message)</p>
      """
  }
}

/// The records of one type in a zone that the address of a table asks for, and their order.
struct RecordListing {
  let context: ConsoleRequest
  let zone: ZoneLocation
  let type: String
  /// Whether reads make the indexes that they need, however long that takes: no page waits for them.
  var makesIndexes = false

  static let pageSizes = [25, 50, 100, 200]
  /// Above so many records of the type, a filter goes on while its page is looked at.
  static let maxSearched = 20_000
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

  /// Reads the records of the page that the address asks for, and counts those that match.
  ///
  /// - Parameter total: the number of records of the type.
  func search(of total: Int) throws -> (progress: RecordSearch.Progress, UnjudgedRecords) {
    let unjudged = UnjudgedRecords()
    let match = try match(unjudged)
    let after = context.value("after").flatMap { QueryPosition(pageText: $0, zone.zoneID) }
    guard after.map({ $0.keys.count == match.sort.count }) ?? true else {
      throw WebError(.badRequest, "'after' belongs to another order")
    }
    guard !isFiltered || total <= Self.maxSearched else {
      let (counted, unjudged) = try progress(from: nil, counts: true)
      guard let after else { return (counted, unjudged) }
      var (found, _) = try progress(from: after, counts: false)
      (found.count, found.searched) = (counted.count, counted.searched)
      found.isDone = found.isDone && counted.isDone
      return (found, unjudged)
    }
    var found = RecordSearch.Progress()
    let page = try page(match, after: after, limit: pageSize)
    (found.results, found.last) = (page.results, page.last)
    let all = isFiltered ? try self.page(match, after: nil, limit: total).results.count : total
    (found.count, found.searched, found.isDone) = (all, total, true)
    return (found, unjudged)
  }

  /// Begins the search of a page, or looks how far it is. A search from the first record counts those
  /// that match.
  private func progress(
    from start: QueryPosition?, counts: Bool
  ) throws -> (RecordSearch.Progress, UnjudgedRecords) {
    let items = items() + [("after", start?.pageText)]
    let key = items.map { "\($0.0)=\($0.1 ?? "")" }.joined(separator: "&")
    let search = context.handler.searches.value(
      "\(context.name.path) \(context.actor.choice) \(key)", RecordSearch.init)
    let match = try match(search.unjudged)
    var listing = self
    listing.makesIndexes = true
    let progress = try search.progress(of: listing, match, from: start, counts: counts)
    if let error = progress.error { throw error }
    return (progress, search.unjudged)
  }

  /// Returns the columns of some records of the type; where there are none, those of its first records.
  func columns(_ stored: [ResultRecord], _ objects: [ResultRecord]) throws -> RecordColumns {
    let type = try context.schemaType(type)
    let isEmpty = stored.isEmpty
    let first = try isEmpty || RecordColumns.hasTooMany(type) ? firstRecords() : []
    return RecordColumns(
      type, stored: isEmpty ? first : stored,
      records: isEmpty ? first.map { $0.asObject(.init()) } : objects,
      chosen: context.items.filter { $0.name == RecordColumns.name }.map(\.value), first: first)
  }

  /// Makes the index that narrows a search down.
  func makeIndex(for match: QueryMatch) throws {
    try context.store.makeIndex(for: request(match, after: nil, 1))
  }

  private func firstRecords() throws -> [ResultRecord] {
    try read(request(ofAll, after: nil, Self.pageSizes[1])).records
  }

  /// Returns the next records.
  func page(
    _ match: QueryMatch, after: QueryPosition?, limit: Int, maxSearched: Int? = nil
  ) throws -> QueryPage {
    var request = request(match, after: after, limit)
    request.includes = hasFields
    request.maxSearched = maxSearched
    return try read(request)
  }

  private func read(_ request: QueryPageRequest) throws -> QueryPage {
    try context.store.page(request, makesIndexes: makesIndexes || context.isForm)
  }

  private func request(
    _ match: QueryMatch, after: QueryPosition?, _ limit: Int
  ) -> QueryPageRequest {
    QueryPageRequest(
      match, in: zone.database, searching: { [zone] in $0 == zone.zoneID }, after: after,
      limit: limit)
  }

  /// The match of all records of the type.
  private var ofAll: QueryMatch { QueryMatch(RecordQuery(recordType: type)) }

  /// Returns Core Data's records as objects, with the relationships that the table shows.
  func objects(_ stored: [ResultRecord]) throws -> [ResultRecord] {
    let relationships = try context.source.relationships(
      of: stored.map { (zone.database, $0) }, maxLinks: Self.maxSearched)
    return stored.map { record in
      record.asObject(
        relationships.found[RecordLocation(zone.database, record.recordID)] ?? .init())
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
    func storedName(_ name: String) -> String { self.storedName(name, schemaType) }
    try checkFields(of: condition, schemaType)
    return try condition.match(
      type, sort: sort.map { [$0] } ?? [], in: context.source, zone.database,
      storedName: storedName,
      shown: { isMirrored ? $0.asObject(.init()) : $0 },
      failed: { unjudged.add($0.recordID, $1) })
  }

  /// Checks that the schema, or one of the first ``maxSearched`` records, has the fields of a condition.
  ///
  /// - Throws: `QueryPredicateError`.
  private func checkFields(
    of condition: RecordCondition, _ schemaType: CloudSchema.RecordType?
  ) throws {
    let declared = NameSet((schemaType?.fields ?? []).map(\.name))
    for field in condition.fields {
      let name = storedName(field.name, schemaType)
      if declared.contains(name) { continue }
      let hasField = try known("field \(name)") {
        let page = try searched { $0.field(named: name) != nil }
        return !page.results.isEmpty || page.isCut
      }
      guard !hasField else { continue }
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
    var request = request(ofAll, after: nil, 1)
    request.maxSearched = Self.maxSearched
    request.includes = isIncluded
    return try read(request)
  }

  /// Whether the condition compares a field that the schema encrypts or, without its type there,
  /// one of the first ``maxSearched`` records. The address then has what may be an encrypted value.
  ///
  /// A text that is no condition must not name such a field at all.
  func comparesEncrypted() throws -> Bool {
    guard let text = context.value("where") else { return false }
    let schemaType = try context.schemaType(type)
    let compared = (try? RecordCondition(text))?.comparedFields.map {
      storedName($0.name, schemaType)
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
    return try known("encrypted \(text)") {
      try !searched { $0.fields.contains { $0.isEncrypted && isCompared($0.name) } }.records.isEmpty
    }
  }

  /// Whether something is true of the type's records. The result is kept as long as they do not change.
  private func known(_ question: String, _ answer: () throws -> Bool) throws -> Bool {
    let place = "\(context.name.path) \(zone) \(type)"
    return try context.result("\(place) \(question)", answer)
  }

  /// Returns the name of the field in CloudKit for an attribute that a condition names.
  private func storedName(_ name: String, _ schemaType: CloudSchema.RecordType?) -> String {
    let isField = name.hasPrefix(CoreDataNames.prefix) || schemaType?.field(named: name) != nil
    return isField || !CoreDataNames.isMirrored(type) ? name : CoreDataNames.prefix + name
  }

  // MARK: Links

  /// The items of the address that decide which records are shown, and how.
  private static let kept: Set<String> = [
    "database", "zone", "owner", "type", "where", hasName, lacksName, "limit", RecordColumns.name,
    layoutName, "sort", ConsoleRequest.disclosureName,
  ]
  static let layoutName = "layout"

  /// Returns the items of the address without some, and without the place among the pages.
  func items(without names: Set<String> = []) -> [(String, String?)] {
    // The address of a zone names no type.
    let items = context.items + (context.value("type") == nil ? [("type", type)] : [])
    return items.filter {
      Self.kept.contains($0.name) && !names.contains($0.name) && !$0.value.isEmpty
    }
    .map { ($0.name, $0.value) }
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

  /// Links to the page before, the next page and the first page, above the records or below them.
  func pageLinks(_ page: RecordSearch.Progress, isBelow: Bool = false) -> HTML? {
    func link(
      _ title: String, _ relation: HTML?, _ key: String, after: String?,
      _ way: some Sequence<String>
    ) -> HTML {
      let path = context.link(
        .records, items() + [("after", after)] + way.map { ("back", $0) })
      return ConsoleRequest.pageLink(
        title, relation, path, isBelow ? nil : " accesskey=\"\(key)\"")
    }
    var links: [HTML] = []
    let after = context.value("after")
    if after != nil {
      if way.count != 1 || way.first != "" {
        links.append(link("First page", nil, "a", after: nil, []))
      }
      if let previous = way.last {
        links.append(
          link(
            "Previous page", "prev", "p", after: previous.isEmpty ? nil : previous, way.dropLast()))
      }
    }
    if let last = page.last {
      var next = way + [after ?? ""]
      while next.reduce(0, { $0 + $1.utf8.count }) > Self.maxWay { next.removeFirst() }
      links.append(link("Next page", "next", "n", after: last.pageText, next))
    }
    return ConsoleRequest.pages(links, isBelow: isBelow)
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
