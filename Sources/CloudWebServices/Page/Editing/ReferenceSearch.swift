import RecordArchive
import RecordCoding
import RecordModel

/// Finds records for a reference: by their names, and by their first texts.
struct ReferenceSearch {
  let context: ConsoleRequest

  /// The number of records that are found, and of those that are searched.
  private static let maxFound = 20
  private static let maxSearched = 5_000
  /// The number of characters of a title.
  private static let maxTitle = 80

  func response() throws -> WebResponse {
    try context.requireEditing()
    guard let text = context.value("in") else {
      throw WebError(.badRequest, "the address names no zone")
    }
    let zone = try ZoneLocation(formText: text)
    let wanted = (context.value("text") ?? "").lowercased()
    var found: [JSONValue] = []
    var searched = 0
    let filter = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
    try context.source.readRecords(filter) { record, _ in
      searched += 1
      let title = Self.title(of: record)
      let name = record.recordID.recordName
      if !record.isShare,
        wanted.isEmpty || name.lowercased().contains(wanted)
          || title.lowercased().contains(wanted)
      {
        found.append(
          .object([
            .init("name", .string(name)), .init("type", .string(record.recordType)),
            .init("title", .string(title)),
          ]))
      }
      return found.count < Self.maxFound && searched < Self.maxSearched
    }
    return WebResponse(json: .object([.init("records", .array(found))]))
  }

  /// The first text of a record that is not encrypted.
  private static func title(of record: ResultRecord) -> String {
    for field in record.fields where !field.isEncrypted {
      if case .string(let text) = field.value, !text.isEmpty {
        return String(text.prefix(maxTitle))
      }
    }
    return ""
  }
}
