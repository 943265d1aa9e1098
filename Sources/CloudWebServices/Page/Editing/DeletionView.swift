import MockCloud
import RecordArchive
import RecordModel
import RecordPages
import RecordText

/// Asks whether a record, or a zone, is to be deleted.
struct DeletionView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    let zone = try context.zone()
    if context.value("name") == nil { return try html(zone) }
    let (record, database) = try context.storedRecord()
    // The container knows what goes with a record, and not the contents that a user sees.
    let container = context.served.container.store
    if let missing = try container.missing([.owner, .share]),
      try !context.handler.background.make(missing, in: container)
    {
      return context.waiting(for: missing)
    }
    let location = RecordLocation(database, record.recordID)
    let items = try context.removal(of: location, keepsContent: false)?.words ?? "the record"
    return html(
      record.recordID.recordName, zone,
      """
      \(items): the record, the records that refer to it with the action DELETE_SELF, and their shares
      """,
      context.deletionForm(
        record, in: database, "Delete the record",
        cancel: context.link(to: location.recordID, in: database)))
  }

  private func html(_ zone: ZoneLocation) throws -> HTML {
    try context.requireOwn(zone)
    let filter = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
    let counts = try context.source.sections(filter).map { ($0.recordType, $0.records) }
    return html(
      zone.zoneID.zoneName, zone, Removal.words(counts, zone),
      context.form(
        .deleteZone, [("zone", zone.formText)],
        """
        <button class="danger">Delete the zone</button>
        <a class="button plain" href="\(context.link(.zones))">Cancel</a>
        """))
  }

  private func html(_ name: String, _ zone: ZoneLocation, _ items: HTML, _ form: HTML) -> HTML {
    context.editingPage(
      "Delete \(name)", trail: context.trail(zone),
      """
      <p>This deletes \(items). You can undo it in one step.</p>
      \(form)
      """)
  }
}

extension Removal {
  /// The zone, if it is deleted, and the number of records by type.
  var words: HTML { Self.words(counts, zone?.place) }

  static func words(_ counts: [(type: String, count: Int)], _ zone: ZoneLocation?) -> HTML {
    let types = counts.map { type, count -> HTML in
      "\(Numbers.grouped(count)) <bdi>\(type)</bdi>"
    }
    let list = HTML.joined(types, by: ", ")
    let count = counts.reduce(0) { $0 + $1.count }
    let records: HTML =
      types.count > 1
      ? "<strong>\(Numbers.count(count, "record"))</strong> (\(list))" : "<strong>\(list)</strong>"
    guard let zone else { return records }
    let name: HTML = "the zone <bdi>\(zone.zoneID.zoneName)</bdi>"
    return types.isEmpty ? name : "\(name) with \(records)"
  }
}

extension ConsoleRequest {
  /// - Throws: ``WebError``: `NOT_FOUND` for a zone that the actor cannot delete, or that views do not show.
  func requireOwn(_ zone: ZoneLocation) throws {
    guard actor.owns(zone), !zone.zoneID.isDefault, try zones().contains(zone) else {
      throw WebError(.notFound, "this user has no such zone to delete")
    }
  }

  /// The deletions that the actor can undo: the own ones, or those of the whole container.
  var removals: [Removals.Entry] {
    canEdit ? handler.removals.entries(of: name).filter { shows($0.user) } : []
  }

  /// A deletion in words, with the button that undoes it.
  func undo(_ entry: Removals.Entry) -> HTML {
    "Deleted \(entry.removal.words). \(form(.undo, [(Removals.name, entry.id)], "<button class=\"plain\">Undo</button>"))"
  }

  /// A form that carries out an action: one that changes records, as the actor.
  ///
  /// - Parameters:
  ///   - hidden: the names and values that the form sends along.
  ///   - choice: the choice of the actor; nil for the actor of the page.
  func form(
    _ action: PageAction, _ hidden: [(String, String?)], _ content: HTML, as choice: String? = nil
  ) -> HTML {
    // The cookie with the actor may be that of another page by then.
    let actor = action.kind == .editing ? [("as", choice ?? actor.choice)] : []
    return """
      <form method="post" action="\(path(of: action))">\(Self.hidden(actor + hidden))
      \(content)</form>
      """
  }

  /// - Parameter cancel: the path of the page before; nil for a form on that page.
  func deletionForm(
    _ record: ResultRecord, in database: DatabaseScope, _ words: String, cancel: String? = nil
  ) -> HTML {
    let cancel: HTML? = cancel.map { "<a class=\"button plain\" href=\"\($0)\">Cancel</a>" }
    return form(
      .deleteRecord,
      [
        ("record", RecordLocation(database, record.recordID).formText),
        ("type", record.recordType), ("tag", record.recordChangeTag),
      ], "<button class=\"danger\">\(words)</button>\(cancel)")
  }
}
