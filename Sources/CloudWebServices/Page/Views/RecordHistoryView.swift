import RecordModel
import RecordPages

/// The changes of a record as a table of fields, before and after, as in a page of differences.
struct RecordHistoryView {
  let context: ConsoleRequest
  let location: RecordLocation

  /// The number of changes that are shown.
  private static let maxChanges = 50

  /// The place in the container; nil for a record that others share, whose earlier versions the server
  /// does not return.
  private var place: RecordLocation? { context.location(of: location, isOwn: true) }

  var changes: [RecordHistory.Change] {
    guard let place else { return [] }
    let changes = context.handler.history.changes(of: place, in: context.name)
    guard context.isPart else { return changes }
    // A public record that the user may not read has no versions to show.
    let isThere = (try? context.record(at: location)) != nil
    guard location.database == .private || isThere else { return [] }
    return changes.map { change in
      RecordHistory.Change(
        date: change.date, before: change.before.map { context.seen($0, in: location.database) },
        after: change.after.map { context.seen($0, in: location.database) }, size: 0)
    }
  }

  /// The section of a record that is not there any more; nothing for a record without changes.
  var known: HTML? { changes.isEmpty ? nil : section }

  /// The section of a record; nothing where no change is kept.
  var section: HTML? {
    guard context.handler.page == .withServices else { return nil }
    let changes = changes
    let rest = changes.count - Self.maxChanges
    let reason: HTML? =
      place == nil
      ? """
      The server returns no earlier versions of a record that others share. They are in the view of \
      the whole container.
      """
      : changes.isEmpty ? "Nothing has changed the record since the server started." : nil
    return """
      <h2>History</h2>
      \(reason.map { "<p class=\"quiet\">\($0)</p>" as HTML })
      \(changes.suffix(Self.maxChanges).reversed().map(table))
      \(when: rest > 0, "<p class=\"quiet\">\(rest) earlier changes are not shown.</p>")
      """
  }

  /// The last change; nil if it is not known.
  var last: HTML? { changes.last.map(table) }

  private func table(_ change: RecordHistory.Change) -> HTML {
    let table = DifferencePage.table(
      from: change.before, to: change.after, showEncrypted: context.showsEncrypted,
      words: ConsoleRequest.words(change.date))
    return "\(table)\(restoration(change))"
  }

  /// The button that gives the record the values that it had after a change, or before its deletion.
  private func restoration(_ change: RecordHistory.Change) -> HTML? {
    guard context.canEdit, context.view == .record, let version = change.after ?? change.before,
      !version.isShare, let tag = version.recordChangeTag
    else { return nil }
    return context.form(
      .restore, [("record", location.formText), ("version", tag)],
      "<button class=\"plain\">Restore\(change.after == nil ? " what was deleted" : "")</button>")
  }
}
