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
    case .info(let changes):
      let names = JSONValue.array(changes.map { .string($0.name) })
      return object(.changed, "container", [.init("names", names)] + (try members(changes)))
    case .zone(let kind, let zoneID, let database, let changes):
      return object(kind, "zone", ZoneLocation(database, zoneID).members + (try members(changes)))
    case .subscription(let kind, let id, let database, let changes):
      return object(
        kind, "subscription",
        [.init("database", .string(database.rawValue)), .init("subscriptionID", .string(id))]
          + (try members(changes)))
    case .recordAdded(let record, let database):
      return object(.added, "record", identity(record.recordID, record.recordType, database))
    case .recordRemoved(let record, let database):
      return object(.removed, "record", identity(record.recordID, record.recordType, database))
    case .recordChanged(let difference, let type, let database):
      return object(
        .changed, "record",
        identity(difference.recordID, type, database) + (try members(difference)))
    case .tombstone(let kind, let recordID, let database, let changes):
      return object(
        kind, "tombstone", identity(recordID, nil, database) + (try members(changes)))
    case .zoneTombstone(let kind, let zoneID, let database, let changes):
      return object(
        kind, "zoneTombstone", ZoneLocation(database, zoneID).members + (try members(changes)))
    case .asset(let kind, let sha256, let size):
      return object(
        kind, "asset", [.init("sha256", .string(sha256)), .init("size", .integer(size))])
    }
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
