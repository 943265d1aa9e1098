import RecordModel
import RecordPages
import RecordStore

/// Asks whether a record is to be deleted.
struct DeletionView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    try context.requireEditing()
    let (record, database) = try context.storedRecord()
    let location = RecordLocation(database, record.recordID)
    return context.editingPage(
      "Delete \(record.recordID.recordName)",
      trail: context.trail(database, record.recordID.zoneID),
      """
      <p>This deletes the record of type <bdi>\(record.recordType)</bdi>, and the records that refer to it \
      with the action DELETE_SELF.</p>
      \(context.deletionForm(
        record, in: database, "Delete the record",
        cancel: context.link(to: location.recordID, in: database)))
      """)
  }
}

extension ConsoleRequest {
  /// Returns the record that the address names.
  func storedRecord() throws -> (ResultRecord, DatabaseScope) {
    let (database, zoneID) = (try database(), try zoneID())
    guard let name = value("name") else {
      throw WebError(.badRequest, "the address names no record")
    }
    let recordID = RecordID(recordName: name, zoneID: zoneID)
    guard let record = try store.snapshot({ try $0.record(for: recordID, in: database) }) else {
      throw WebError(.notFound, "there is no such record")
    }
    return (record, database)
  }

  /// The input with the user as whom a form acts. The cookie may be that of another page by then.
  var actorInput: HTML { Self.plainInput("as", actor.choice) }

  /// - Parameter cancel: the path of the page before; nil for a form on that page.
  func deletionForm(
    _ record: ResultRecord, in database: DatabaseScope, _ words: String, cancel: String? = nil
  ) -> HTML {
    let cancel: HTML? = cancel.map { "<a class=\"button plain\" href=\"\($0)\">Cancel</a>" }
    let tag: HTML? = record.recordChangeTag.map { Self.plainInput("tag", $0) }
    return """
      <form method="post" action="\(path(of: .deleteRecord))">\(actorInput)\
      \(Self.plainInput("record", RecordLocation(database, record.recordID).formText))\(tag)
      <button class="danger">\(words)</button>\(cancel)</form>
      """
  }
}
