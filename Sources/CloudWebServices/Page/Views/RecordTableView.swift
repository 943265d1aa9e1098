import Foundation
import RecordArchive
import RecordModel
import RecordPages
import RecordSchema
import RecordStore
import RecordText

/// The records of one type in a zone, as a table that can be filtered and sorted.
struct RecordTableView {
  let context: ConsoleRequest

  /// The number of fields that are columns.
  private static let maxColumns = 8
  /// The number of references of a list that are shown.
  private static let maxLinks = 3
  /// The number of characters of a value that are shown.
  private static let maxText = 200
  private static let pageSizes = [25, 50, 100, 200]
  private static let modified = "modificationDate"

  func html() throws -> HTML {
    let (database, zoneID) = (try context.database(), try context.zoneID())
    let sections = try context.source.sections(RecordFilter(zoneIDs: [zoneID])).filter {
      $0.database == database
    }
    guard let type = context.value("type") ?? sections.first?.recordType else {
      return context.page(
        zoneID.zoneName, live: "<p>The zone \(ConsoleRequest.words(zoneID)) has no records.</p>")
    }
    let section = sections.first { $0.recordType.sameScalars(as: type) }
    let count = section?.records ?? 0
    let shownType = section.map(context.source.shownType) ?? type
    let isOfObjects = !shownType.sameScalars(as: type)
    let records: HTML
    do {
      records = try table(try page(type, in: database, zoneID), shownType, database)
    } catch let error as QueryPredicateError {
      records = "<p class=\"problem\" role=\"alert\">\("\(error)")</p>"
    }
    let stored: HTML? = isOfObjects ? ", record type <bdi>\(type)</bdi>" : nil
    return context.page(
      shownType,
      head: """
        \(types(sections, type, database, zoneID))
        \(form(type, database, zoneID))
        \(newRecord(type, database, zoneID))
        """,
      live: """
        <p>\(database.rawValue.capitalized) database, zone \(ConsoleRequest.words(zoneID)): \
        \(Numbers.count(count, "record")) of this type\(stored)</p>
        \(records)
        """)
  }

  private func newRecord(
    _ type: String, _ database: DatabaseScope, _ zoneID: ZoneID
  ) -> HTML? {
    guard context.canEdit else { return nil }
    let link = context.link(.edit, context.items(database, zoneID) + [("type", type)])
    return "<p><a href=\"\(link)\">New record</a></p>"
  }

  private func types(
    _ sections: [ArchiveSource.Section], _ type: String, _ database: DatabaseScope,
    _ zoneID: ZoneID
  ) -> HTML {
    guard sections.count > 1 else { return .empty }
    let items = sections.prefix(100).map { section -> HTML in
      let link = context.link(
        .records, context.items(database, zoneID) + [("type", section.recordType)])
      let current: HTML? = section.recordType.sameScalars(as: type) ? " aria-current=\"page\"" : nil
      return
        "<li><a href=\"\(link)\"\(current)><bdi>\(context.source.shownType(of: section))</bdi></a></li>"
    }
    return "<nav aria-label=\"Record types\"><ul>\n\(items)\n</ul></nav>"
  }

  // MARK: Reading

  /// The sort descriptor of the query: a field's name, with a `-` before it for descending order.
  private var sort: QuerySort? {
    context.value("sort").flatMap { text in
      let isDescending = text.hasPrefix("-")
      let name = isDescending ? String(text.dropFirst()) : text
      return name.isEmpty ? nil : QuerySort(name, ascending: !isDescending)
    }
  }

  private var pageSize: Int {
    context.value("limit").flatMap(Int.init).flatMap { Self.pageSizes.contains($0) ? $0 : nil }
      ?? Self.pageSizes[1]
  }

  private func page(
    _ type: String, in database: DatabaseScope, _ zoneID: ZoneID
  ) throws -> QueryPage {
    let condition = try RecordCondition(context.value("where") ?? "TRUEPREDICATE")
    let isMirrored = CoreDataNames.isMirrored(type)
    let schemaType = try isMirrored ? self.schemaType(type) : nil
    let match = try condition.match(
      type, sort: sort.map { [$0] } ?? [], in: context.source, database,
      storedName: { isMirrored ? Self.storedName($0, schemaType) : $0 },
      shown: { isMirrored ? $0.asObject(.init()) : $0 }, failed: { _, _ in })
    let after = context.value("after").flatMap { QueryPosition(pageText: $0, zoneID) }
    guard after.map({ $0.keys.count == match.sort.count }) ?? true else {
      throw WebError(.badRequest, "'after' belongs to another order")
    }
    return try context.store.page(
      QueryPageRequest(
        match, in: database, searching: { $0 == zoneID }, after: after, limit: pageSize))
  }

  private func schemaType(_ name: String) throws -> CloudSchema.RecordType? {
    try context.source.info().schemaDocument(of: "the container")?.schema.recordType(named: name)
  }

  /// Returns the name of the field in CloudKit for an attribute that a condition names.
  private static func storedName(_ name: String, _ type: CloudSchema.RecordType?) -> String {
    let isField = name.hasPrefix(CoreDataNames.prefix) || type?.field(named: name) != nil
    return isField ? name : CoreDataNames.prefix + name
  }

  // MARK: The form

  private func form(_ type: String, _ database: DatabaseScope, _ zoneID: ZoneID) -> HTML {
    let encrypted = (ConsoleRequest.disclosureName, context.value(ConsoleRequest.disclosureName))
    let hidden =
      (context.items(database, zoneID) + [
        ("type", type), ("sort", context.value("sort")), encrypted,
      ])
      .compactMap { name, value in value.map { ConsoleRequest.hiddenInput(name, $0) } }
    let sizes = Self.pageSizes.map { size -> HTML in
      "<option\("selected", if: size == pageSize)>\(size)</option>"
    }
    return """
      <form method="get" action="\(context.link(.records))" role="search">
      \(hidden)
      <label class="wide">Condition, as in a CloudKit query
      <input name="where" value="\(HTML(editable: context.value("where") ?? ""))" spellcheck="false" \
      autocomplete="off" placeholder="title BEGINSWITH 'A' AND creationDate &gt; '2025-01-01'">
      </label>
      <label>Records on a page<select name="limit">\(sizes)</select></label>
      <button>Show</button>
      </form>
      """
  }

  // MARK: The table

  private func table(
    _ page: QueryPage, _ type: String, _ database: DatabaseScope
  ) throws -> HTML {
    guard !page.results.isEmpty else { return "<p>No record matches.</p>" }
    let stored = page.records
    let relationships = try context.source.relationships(
      of: stored.map { (database, $0) }, maxLinks: RecordDetailView.maxSearched)
    func shown(_ record: ResultRecord) -> ResultRecord {
      record.asObject(relationships.found[RecordLocation(database, record.recordID)] ?? .init())
    }
    let records = stored.map(shown)
    // Objects of sub-entities have the type of their root entity.
    let hasEntities = records.contains { !$0.recordType.sameScalars(as: type) }
    let columns = CommonFields.names(in: records).prefix(Self.maxColumns)
    let head =
      [heading("recordID", "Record name")] + (hasEntities ? ["<th>Entity</th>"] : [])
      + columns.map { name in
        let fields = records.lazy.compactMap { $0.field(named: name) }
        let isNumber = fields.allSatisfy {
          $0.value.isNumber && (!$0.isEncrypted || context.showsEncrypted)
        }
        let field = Self.sortName(of: name, in: stored)
        return heading(
          field ?? name, name, isSortable: field != nil && fields.contains(where: Self.canSort),
          isNumber: isNumber)
      } + [heading(Self.modified, "Modified")]
    let rows = page.results.map { recordID, result -> HTML in
      guard case .success(let record) = result else {
        return """
          <tr><td>\(context.anchor(recordID, in: database))</td>\
          <td class="removed" colspan="\(head.count - 1)">damaged</td></tr>
          """
      }
      let object = shown(record)
      let entity: HTML? = hasEntities ? "<td><bdi>\(object.recordType)</bdi></td>" : nil
      let cells = columns.map { name -> HTML in
        guard let field = object.field(named: name) else { return "<td></td>" }
        return cell(field, record, database)
      }
      return """
        <tr><td>\(context.anchor(record.recordID, in: database))</td>\(entity)\(cells)\
        <td>\(ConsoleRequest.words(record.modificationDate))</td></tr>
        """
    }
    let next: HTML? = page.last.map { last in
      "<a rel=\"next\" href=\"\(link(after: last.pageText, sort: context.value("sort")))\">Next page</a>"
    }
    let first: HTML? =
      context.value("after") == nil
      ? nil : "<a href=\"\(link(after: nil, sort: context.value("sort")))\">First page</a>"
    let links = [first, next].compactMap { $0 }
    let disclosure: HTML? =
      records.contains { $0.fields.contains(where: \.isEncrypted) }
      ? "<p>\(context.disclosureLink)</p>" : nil
    return """
      \(HTML.table(type, head: head, rows: rows, cssClass: "records"))
      \(disclosure)
      <p>\(HTML(markup: links.map(\.text).joined(separator: " · ")))</p>
      """
  }

  /// Returns the name of the field that a query sorts by for a column; nil for a relationship without a
  /// field.
  private static func sortName(of column: String, in records: [ResultRecord]) -> String? {
    [column, CoreDataNames.prefix + column].first { name in
      records.contains { $0.field(named: name) != nil }
    }
  }

  /// Whether a query sorts by a field like this one.
  private static func canSort(_ field: Field) -> Bool {
    guard !field.isEncrypted else { return false }
    switch field.value {
    case .string, .int64, .double, .timestamp, .bytes, .reference: return true
    default: return false
    }
  }

  /// The head of a column, which sorts by it.
  private func heading(
    _ name: String, _ title: String, isSortable: Bool = true, isNumber: Bool = false
  ) -> HTML {
    let cssClass: HTML? = isNumber ? " class=\"number\"" : nil
    guard isSortable else { return "<th\(cssClass)><bdi>\(title)</bdi></th>" }
    let isSorted = sort?.fieldName.sameScalars(as: name) == true
    let isAscending = isSorted && sort?.ascending == true
    let state: HTML? =
      isSorted ? " aria-sort=\"\(isAscending ? "ascending" : "descending")\"" : nil
    let mark = isSorted ? (isAscending ? " ↑" : " ↓") : ""
    let link = link(after: nil, sort: isAscending ? "-\(name)" : name)
    return "<th\(cssClass)\(state)><a href=\"\(link)\"><bdi>\(title)</bdi></a>\(mark)</th>"
  }

  private func link(after: String?, sort: String?) -> String {
    let kept = [
      "database", "zone", "owner", "type", "where", "limit", ConsoleRequest.disclosureName,
    ]
    let items = kept.map { ($0, context.value($0)) }
    return context.link(.records, items + [("sort", sort), ("after", after)])
  }

  private func cell(_ field: Field, _ record: ResultRecord, _ database: DatabaseScope) -> HTML {
    if field.isEncrypted, !context.showsEncrypted { return "<td>\(ConsoleRequest.covered)</td>" }
    if case .reference(let reference) = field.value {
      return "<td>\(context.anchor(reference.recordID, in: database))</td>"
    }
    if case .referenceList(let references) = field.value {
      let links = references.prefix(Self.maxLinks).map { context.anchor($0.recordID, in: database) }
      let rest = references.count - links.count
      let more: HTML? = rest > 0 ? " <span class=\"quiet\">and \(rest) more</span>" : nil
      return "<td>\(links)\(more)</td>"
    }
    if case .timestamp(let date) = field.value { return "<td>\(ConsoleRequest.words(date))</td>" }
    if case .asset(let asset) = field.value {
      return "<td>\(asset.size.map { Numbers.size($0) } ?? "asset")</td>"
    }
    if case .bytes(let data) = field.value { return "<td>\(Numbers.size(data.count))</td>" }
    let text = (try? field.value.cellText(context.disclosure, inWords: true)) ?? ""
    let shown = text.prefix(Self.maxText) + (text.dropFirst(Self.maxText).isEmpty ? "" : "…")
    return field.value.isNumber
      ? "<td class=\"number\">\(text)</td>"
      : "<td title=\"\(String(shown))\"><bdi>\(String(shown))</bdi></td>"
  }
}

extension RecordValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .int64, .double: true
    default: false
    }
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
