import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// Writes differences as one JSON object, each as it is found, as there may be millions.
struct DifferenceDocument {
  let first: String
  let second: String
  let showEncrypted: Bool
  let output: StandardOutput

  /// - Parameters:
  ///   - statistics: The counts, if they replace the differences.
  ///   - run: Compares, and calls its argument with each difference.
  func write(
    statistics: () -> JSONValue?,
    _ run: ((ArchiveChange) throws -> Void) throws -> ArchiveDifference
  ) throws -> ArchiveDifference {
    let head = ReportOptions.document(
      "diff", [.init("first", .string(first)), .init("second", .string(second))])
    var document = try StreamedDocument(head, list: "changes", to: output)
    let difference = try run { try document.add(json($0)) }
    try document.end(
      [
        .init("equal", .bool(difference.isEmpty)),
        .init(
          "records",
          .object([
            .init("added", .integer(difference.added)),
            .init("removed", .integer(difference.removed)),
            .init("changed", .integer(difference.changed)),
            .init("unchanged", .integer(difference.unchanged)),
          ])), .init("others", .integer(difference.others)),
      ] + (statistics().map { [.init("statistics", $0)] } ?? []))
    return difference
  }

  private func json(_ change: ArchiveChange) throws -> JSONValue {
    switch change {
    case .item(let kind, let item, let changes):
      return object(kind, item.kind.rawValue, identity(item, changes) + (try members(changes)))
    case .recordAdded(let record, let database):
      return object(.added, "record", identity(record.recordID, record.recordType, database))
    case .recordRemoved(let record, let database):
      return object(.removed, "record", identity(record.recordID, record.recordType, database))
    case .recordChanged(let difference, let type, let database):
      return object(
        .changed, "record",
        identity(difference.recordID, type, database) + (try members(difference)))
    }
  }

  private func identity(
    _ item: ArchiveChange.Item, _ changes: [MemberChange]
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let database = item.database {
      members.append(.init("database", .string(database.rawValue)))
    }
    if let zoneID = item.zoneID { members.append(.init("zoneID", zoneID.jsonValue())) }
    switch item.kind {
    case .container: members.append(.init("names", .array(changes.map { .string($0.name) })))
    case .subscription: members.append(.init("subscriptionID", .string(item.name)))
    case .tombstone: members.append(.init("recordName", .string(item.name)))
    case .asset: members.append(.init("sha256", .string(item.name)))
    case .zone, .zoneTombstone: break
    }
    if let size = item.size { members.append(.init("size", .integer(size))) }
    return members
  }

  private func object(
    _ kind: ArchiveChange.Kind, _ what: String, _ members: [JSONValue.Member]
  ) -> JSONValue {
    .object(
      [.init("change", .string(kind.rawValue)), .init("kind", .string(what))] + members)
  }

  /// What differs in something that is no record; nothing if it was added or removed.
  private func members(_ changes: [MemberChange]) throws -> [JSONValue.Member] {
    guard !changes.isEmpty else { return [] }
    let disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    let members = try changes.map { change in
      var members: [JSONValue.Member] = [.init("name", .string(change.name))]
      for (name, json) in [("before", change.before), ("after", change.after)] {
        guard let json else { continue }
        // A member is hidden by its name, too.
        let member = JSONValue.Member(change.name, try JSONParser.parse(json.text))
        let shown = disclosure.shown(.object([member])).members?.first?.value
        members.append(.init(name, shown ?? .string(RecordDisclosure.hidden)))
      }
      return JSONValue.object(members)
    }
    return [.init("members", .array(members))]
  }

  private func identity(
    _ recordID: RecordID, _ type: String?, _ database: DatabaseScope
  ) -> [JSONValue.Member] {
    RecordLocation(database, recordID).members(type)
  }

  private func members(_ difference: RecordDifference) throws -> [JSONValue.Member] {
    let disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    let zoneID = difference.recordID.zoneID
    let fields = try difference.fields.map { change in
      var members: [JSONValue.Member] = [.init("name", .string(change.name))]
      for (name, field) in [("before", change.before), ("after", change.after)] {
        guard let field else { continue }
        members.append(.init(name, disclosure.shown(try field.dictionary(in: zoneID))))
      }
      return JSONValue.object(members)
    }
    let system = difference.system.map { change in
      var members: [JSONValue.Member] = [.init("name", .string(change.field.name))]
      for (name, text) in [("before", change.before), ("after", change.after)] {
        guard let text else { continue }
        let shown = disclosure.shown(text, named: change.field.name)
        members.append(.init(name, .string(shown)))
      }
      return JSONValue.object(members)
    }
    return [.init("fields", .array(fields)), .init("system", .array(system))]
  }
}
