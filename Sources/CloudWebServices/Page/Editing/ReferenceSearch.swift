import RecordCoding
import RecordModel
import RecordPages
import RecordStore

/// Finds records for a reference, by the beginnings of names and words.
struct ReferenceSearch {
  let context: ConsoleRequest

  /// The number of records that are found.
  private static let maxFound = 20

  func response() throws -> WebResponse {
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
  /// The first text of a field that is called a title or a name, or else the first text, or the first list
  /// of texts; nil for none. An encrypted one counts only where encrypted values are shown.
  func title(of record: ResultRecord) -> String? {
    let maxLength = 80
    let lines = record.fields.compactMap { field -> (rank: Int, line: String)? in
      guard !field.isEncrypted || showsEncrypted else { return nil }
      let isTitle = ["title", "name"].contains(where: field.name.lowercased().hasSuffix)
      let (rank, text): (Int, String)
      switch field.value {
      case .string(let value): (rank, text) = (isTitle ? 0 : 1, String(value.prefix(1_000)))
      case .stringList(let values): (rank, text) = (2, values.prefix(10).joined(separator: ", "))
      default: return nil
      }
      let line = text.split(whereSeparator: \.isNewline).first
      return line.map { (rank, String($0.prefix(maxLength))) }
    }
    return lines.min { $0.rank < $1.rank }?.line
  }

  /// A link to a record with its title.
  func titled(_ record: ResultRecord, in database: DatabaseScope) -> HTML {
    let title = title(of: record) ?? record.recordID.recordName
    return "<a href=\"\(link(to: record.recordID, in: database))\"><bdi>\(title)</bdi></a>"
  }
}
