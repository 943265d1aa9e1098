import Foundation
import RecordArchive
import RecordModel
import RecordPages
import RecordText

/// The records of one type in a zone, as a table that can be filtered and sorted, or as a gallery of
/// their images.
struct RecordTableView {
  var context: ConsoleRequest
  /// A condition of the form that cannot be used, and so is in no address.
  var rejected: (condition: String, error: QueryPredicateError)?

  private static let gallery = "gallery"

  private var isGallery: Bool { context.value(RecordListing.layoutName) == Self.gallery }

  /// The view, or the address of the view without a condition that compares an encrypted field.
  func response() throws -> WebResponse {
    let zone = try zone()
    if let listing = listing(zone), try listing.comparesEncrypted() {
      return withoutCondition(listing)
    }
    return WebResponse(html: try html(zone))
  }

  /// The response to the form: the address of the records that it asks for. A condition comes into
  /// the address only when it is known to be one, and not to compare an encrypted field.
  func sent() throws -> WebResponse {
    let zone = try zone()
    guard let listing = listing(zone) else {
      return WebResponse(to: context.link(.records, context.items(zone.place)))
    }
    guard try !listing.comparesEncrypted() else { return withoutCondition(listing) }
    do {
      _ = try listing.match()
    } catch let error as QueryPredicateError {
      // A field with a wrong name can be meant for an encrypted one.
      var view = self
      view.rejected = (context.value("where") ?? "", error)
      view.context.items.removeAll { $0.name == "where" }
      return WebResponse(html: try view.html(zone), status: 400)
    }
    return WebResponse(to: context.link(.records, listing.items()))
  }

  private func withoutCondition(_ listing: RecordListing) -> WebResponse {
    let notice = (ConsoleRequest.noticeName, Optional(PageAction.filter.rawValue))
    return WebResponse(to: context.link(.records, listing.items(without: ["where"]) + [notice]))
  }

  private typealias Zone = (place: ZoneLocation, sections: [ArchiveSource.Section])

  private func zone() throws -> Zone {
    let zone = try context.zone()
    let filter = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
    return (zone, try context.source.sections(filter))
  }

  /// The records that are asked for, of the first type if no type is named; nil for a zone without
  /// records.
  private func listing(_ zone: Zone) -> RecordListing? {
    (context.value("type") ?? zone.sections.first?.recordType).map {
      RecordListing(context: context, zone: zone.place, type: $0)
    }
  }

  private func html(_ zone: Zone) throws -> HTML {
    let zoneID = zone.place.zoneID
    guard let listing = listing(zone) else {
      return context.page(
        zoneID.zoneName, trail: [context.trail(zone.place)[0]],
        live: ConsoleRequest.empty("The zone \(ConsoleRequest.words(zoneID)) has no records."))
    }
    let type = listing.type
    let section = zone.sections.first { $0.recordType.sameScalars(as: type) }
    let shownType = section.map(context.source.shownType) ?? type
    let content: Content
    do {
      if let rejected { throw rejected.error }
      content = try self.content(listing, shownType, section?.records ?? 0)
    } catch let error as QueryPredicateError {
      content = (
        try listing.columns([], []),
        "<p class=\"problem\" role=\"alert\">\("\(error)")</p>"
      )
    }
    return context.page(
      shownType, trail: context.trail(zone.place), actions: newRecord(type, zone.place),
      head: """
        \(types(zone, type))
        \(when: !shownType.sameScalars(as: type), "<p class=\"quiet\">Record type <bdi>\(type)</bdi></p>")
        \(form(listing, content.columns))
        \(menus(listing, content.columns))
        """,
      live: content.html, foot: ConsoleRequest.formScript)
  }

  private typealias Content = (columns: RecordColumns, html: HTML)

  private func newRecord(_ type: String, _ zone: ZoneLocation) -> HTML? {
    guard context.canEdit, type != Share.recordType, (try? context.canWrite(in: zone)) ?? false
    else { return nil }
    let link = context.link(.edit, context.items(zone, type: type))
    return "<a class=\"button\" href=\"\(link)\">New record</a>"
  }

  private func types(_ zone: Zone, _ type: String) -> HTML {
    guard zone.sections.count > 1 else { return .empty }
    let items = zone.sections.map { section -> HTML in
      let link = context.link(.records, context.items(zone.place, type: section.recordType))
      return """
        <li><a href="\(link)"\
        \(when: section.recordType.sameScalars(as: type), " aria-current=\"page\"")>\
        <bdi>\(context.source.shownType(of: section))</bdi></a></li>
        """
    }
    return "<nav class=\"tabs\" aria-label=\"Record types\"><ul>\n\(items)\n</ul></nav>"
  }

  // MARK: Forms

  private func form(_ listing: RecordListing, _ columns: RecordColumns) -> HTML {
    let hidden = ConsoleRequest.hidden(
      listing.items(without: ["where", "limit", RecordListing.hasName, RecordListing.lacksName]))
    let condition = rejected?.condition ?? context.value("where") ?? ""
    let fields = columns.choices.map(\.name)
      .filter { !SystemField.isSystem($0) && HTML.isExact($0) }
    func choice(_ name: String, _ label: HTML) -> HTML {
      ConsoleRequest.select(
        name, label, none: "any field", fields.map { ($0, $0) }, selected: context.value(name))
    }
    return """
      <form method="post" action="\(context.path(of: .filter))" role="search">
      \(hidden)
      <label class="wide">Condition, as in a CloudKit query
      <input name="where" value="\(HTML(editable: condition))" spellcheck="false" \
      autocomplete="off" accesskey="f" list="conditions" placeholder="title BEGINSWITH 'A' AND creationDate &gt; '2025-01-01'">
      <datalist id="conditions">\(conditions(listing))</datalist></label>
      \(choice(RecordListing.hasName, "Has"))
      \(choice(RecordListing.lacksName, "Does not have"))
      \(ConsoleRequest.select(
        "limit", "Rows", RecordListing.pageSizes.map { (String($0), String($0)) },
        selected: String(listing.pageSize)))
      <button>Apply</button>
      </form>
      """
  }

  /// The beginnings of conditions about the fields of the type, to choose from.
  private func conditions(_ listing: RecordListing) -> [HTML] {
    let fields = (try? context.fields(of: listing.type)) ?? []
    let known = fields.prefix(200).map { field in
      field.condition(named: CoreDataNames.attributeName(field.name) ?? field.name)
    }
    let dates = ["creationDate", "modificationDate"].map { "\($0) > '2026-01-31'" }
    return (known + dates).filter(HTML.isExact).map {
      "<option value=\"\(HTML(editable: $0))\">"
    }
  }

  private func menus(_ listing: RecordListing, _ columns: RecordColumns) -> HTML {
    let names = NameSet(columns.shown.map(\.name))
    let choices = columns.choices.map { column -> HTML in
      let isExact = HTML.isExact(column.name)
      return """
        <label><input type="checkbox" name="\(RecordColumns.name)\(isExact ? "" : "-encoded")" \
        value="\(isExact ? column.name : column.name.percentEncoded)"\
        \("checked", if: names.contains(column.name))><bdi>\(column.title)</bdi>\
        \(when: column.isEncrypted, " \(HTML.encrypted)")</label>
        """
    }
    let isGallery = isGallery
    let layout = context.link(
      .records,
      listing.items(without: [RecordListing.layoutName])
        + [(RecordListing.layoutName, isGallery ? nil : Self.gallery)])
    let exports = RecordExport.Format.allCases.map { format -> HTML in
      let link = context.link(.export, listing.items() + [("format", format.rawValue)])
      return "<a class=\"button plain\" href=\"\(link)\">\(format.facts.title)</a>"
    }
    return """
      <div class="row">
      <details class="menu"><summary>Columns</summary><div>
      <form method="get" action="\(context.link(.records))">
      \(ConsoleRequest.hidden(listing.items(without: [RecordColumns.name])))
      <fieldset class="columns-choice"><legend>Columns</legend>\(choices)</fieldset>
      <button>Show these columns</button></form></div></details>
      <details class="menu"><summary>Export</summary><div>
      <p>All records that match, in this order. CSV has the shown columns; JSON and CSV cover \
      encrypted values as this page does, a bundle contains them.</p>
      <p class="buttons">\(exports)</p></div></details>
      <a class="button plain" href="\(layout)">\(isGallery ? "Table" : "Gallery")</a>
      \(columns.choices.contains(where: \.isEncrypted) ? context.disclosureLink : nil)
      </div>
      """
  }

  // MARK: Records

  private func content(
    _ listing: RecordListing, _ type: String, _ total: Int
  ) throws -> Content {
    let (found, unjudgedRecords) = try listing.search(of: total)
    let stored = found.records
    let records = try listing.objects(stored)
    let columns = try listing.columns(stored, records)
    let unjudged = unjudgedRecords.html(context, listing.zone.database)
    let figures: HTML = "\(self.figures(listing, found, total))\(unjudged)"
    guard !found.results.isEmpty else {
      let words: HTML =
        found.isDone ? "No record matches." : "No record matches so far."
      return (
        columns,
        "\(figures)\n\(ConsoleRequest.empty(words))\n\(listing.pageLinks(found))"
      )
    }
    let objects = Dictionary(
      zip(stored.map(\.recordID), records), uniquingKeysWith: { first, _ in first })
    let body =
      isGallery
      ? gallery(stored, objects, listing)
      : table(found, objects, columns, type, listing)
    return (
      columns,
      """
      <div class="row">\(figures)\(listing.pageLinks(found))</div>
      \(body)
      \(listing.pageLinks(found, isBelow: true))
      """
    )
  }

  /// The number of matches, the part of them that is shown, and how far the search is.
  private func figures(
    _ listing: RecordListing, _ found: RecordSearch.Progress, _ total: Int
  ) -> HTML {
    let words =
      found.isDone
      ? listing.isFiltered
        ? " of \(Numbers.grouped(total)) match" : found.count == 1 ? " record" : " records"
      : " match so far"
    var facts: [HTML] = ["<strong>\(Numbers.grouped(found.count))</strong>\(words)"]
    if !found.isDone {
      let searched = min(found.searched, total)
      facts.append(
        """
        \(Numbers.grouped(searched)) of \(Numbers.grouped(total)) searched \
        <progress aria-label="Search" value="\(searched)" max="\(total)"></progress>
        """)
    }
    let shown = found.results.count
    if let offset = listing.offset, shown > 0 {
      facts.append("\(Numbers.grouped(offset + 1))–\(Numbers.grouped(offset + shown)) shown")
    }
    return "<p class=\"matches\">\(HTML.line(facts))</p>"
  }

  private func table(
    _ page: RecordSearch.Progress, _ objects: [RecordID: ResultRecord], _ columns: RecordColumns,
    _ type: String, _ listing: RecordListing
  ) -> HTML {
    // Objects of sub-entities have the type of their root entity.
    let hasEntities = objects.values.contains { !$0.recordType.sameScalars(as: type) }
    let name = RecordColumns.Column(name: "recordID", title: "Record name", sortName: "recordID")
    let head =
      [heading(name, listing)] + (hasEntities ? ["<th>Entity</th>"] : [])
      + columns.shown.map { heading($0, listing) }
    var table = HTMLTable(head.map(HTMLTable.Column.init(head:)), style: "records", label: type)
    let database = listing.zone.database
    for (recordID, result) in page.results {
      let name = context.anchor(recordID, in: database)
      guard case .success(let record) = result else {
        table.add(
          row: """
            <tr><td>\(name)</td><td class="removed" colspan="\(head.count - 1)">damaged</td></tr>
            """)
        continue
      }
      let object = objects[recordID] ?? record
      let view = FieldView(context: context, record: object, database: database)
      let cells = columns.shown.map { column -> HTML in
        column.field(of: record, object).map(view.cell) ?? "<td></td>"
      }
      table.add(
        row: """
          <tr><td>\(name)</td>\(when: hasEntities, "<td><bdi>\(object.recordType)</bdi></td>")\(cells)</tr>
          """)
    }
    return table.html
  }

  /// The head of a column, which sorts by it.
  private func heading(_ column: RecordColumns.Column, _ listing: RecordListing) -> HTML {
    let cssClass: HTML = column.isNumber ? " class=\"number\"" : .empty
    guard let name = column.sortName else {
      let reason: HTML? = column.unsorted.map { " title=\"\($0)\"" }
      return "<th\(cssClass)\(reason)><bdi>\(column.title)</bdi></th>"
    }
    let sort = listing.sort
    let isSorted = sort?.fieldName.sameScalars(as: name) == true
    let isAscending = isSorted && sort?.ascending == true
    let state: HTML? =
      isSorted ? " aria-sort=\"\(isAscending ? "ascending" : "descending")\"" : nil
    let mark = isSorted ? (isAscending ? " ↑" : " ↓") : ""
    let link = context.link(
      .records, listing.items(without: ["sort"]) + [("sort", isAscending ? "-\(name)" : name)])
    return "<th\(cssClass)\(state)><a href=\"\(link)\"><bdi>\(column.title)</bdi></a>\(mark)</th>"
  }

  // MARK: Images

  /// The first image of each record.
  private func gallery(
    _ records: [ResultRecord], _ objects: [RecordID: ResultRecord], _ listing: RecordListing
  ) -> HTML {
    let items = records.compactMap { record -> HTML? in
      let object = objects[record.recordID] ?? record
      let view = FieldView(context: context, record: object, database: listing.zone.database)
      let pictures = object.fields.lazy.filter { !view.isCovered($0) }.compactMap { field in
        field.value.assets.first.flatMap { view.picture($0, of: field, cssClass: "picture") }
      }
      guard let picture = pictures.first else { return nil }
      let link = context.link(to: record.recordID, in: listing.zone.database)
      return """
        <li><a class="picture" href="\(link)" tabindex="-1" aria-hidden="true">\(picture)</a>\
        \(context.anchor(record.recordID, in: listing.zone.database))</li>
        """
    }
    guard !items.isEmpty else {
      return ConsoleRequest.empty("No record of this page has an image.")
    }
    return "<ul class=\"gallery\">\n\(items)\n</ul>"
  }
}
