import RecordCoding
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// Finds records for a reference, by the beginnings of names and words.
struct ReferenceSearch {
  let context: ConsoleRequest

  /// The number of records that are found.
  private static let maxFound = 20

  func response() throws -> WebResponse {
    try context.requireEditing()
    guard let text = context.value("in") else {
      throw WebError(.badRequest, "the address names no zone")
    }
    let search = WordSearch(
      context.value("text") ?? "", in: try ZoneLocation(formText: text), limit: Self.maxFound)
    var (found, missing) = try context.store.records(search)
    if let needed = missing, try context.handler.background.make(needed, in: context.store) {
      (found, missing) = try context.store.records(search)
    }
    found.removeAll { $0.record.isShare }
    let records = found.prefix(Self.maxFound).map { _, record -> JSONValue in
      [
        "name": record.recordID.recordName, "type": record.recordType,
        "title": context.title(of: record) ?? "",
      ]
    }
    // Until the index is made, only names are found.
    return WebResponse(json: ["records": records, "isWhole": missing == nil])
  }
}

extension ConsoleRequest {
  /// The first text, or else the first list of texts, in the order of the fields' names; nil for none.
  /// An encrypted one counts only where encrypted values are shown.
  func title(of record: ResultRecord) -> String? {
    let maxLength = 80
    let texts = record.fields.lazy.filter { !$0.isEncrypted || showsEncrypted }
      .map { field -> (isList: Bool, text: String) in
        switch field.value {
        case .string(let text): (false, String(text.prefix(1_000)))
        case .stringList(let texts): (true, texts.prefix(10).joined(separator: ", "))
        default: (true, "")
        }
      }
    let lines = texts.compactMap { isList, text in
      text.split(whereSeparator: \.isNewline).first.map { (isList, String($0.prefix(maxLength))) }
    }
    return (lines.first { !$0.0 } ?? lines.first)?.1
  }

  /// A link to a record with its title.
  func titled(_ record: ResultRecord, in database: DatabaseScope) -> HTML {
    let title = title(of: record) ?? record.recordID.recordName
    return "<a href=\"\(link(to: record.recordID, in: database))\"><bdi>\(title)</bdi></a>"
  }
}
