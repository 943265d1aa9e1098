import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// The records of a table as a file: all that match, in their order.
struct RecordExport {
  let context: ConsoleRequest

  /// The kinds of files.
  enum Format: String, CaseIterable {
    case json, csv
    case bundle = "recordpack"

    var title: String {
      switch self {
      case .json: "JSON"
      case .csv: "CSV"
      case .bundle: "Bundle"
      }
    }
  }

  /// The number of records of a file, which is made in memory.
  private static let maxRecords = 50_000

  /// - Throws: ``WebError``: `BAD_REQUEST` for too many records.
  func response() throws -> WebResponse {
    guard let format = context.value("format").flatMap(Format.init),
      let type = context.value("type")
    else { throw WebError(.badRequest, "the address names no format and type") }
    let listing = RecordListing(
      context: context, database: try context.database(), zoneID: try context.zoneID(), type: type)
    let records: [ResultRecord]
    do {
      records = try self.records(listing)
    } catch let error as QueryPredicateError {
      throw WebError(.badRequest, "\(error)")
    }
    let (content, mediaType) =
      switch format {
      case .json: (try json(records, listing.database), "application/json")
      case .csv: (try csv(records, listing), "text/csv; charset=UTF-8")
      case .bundle: (try bundle(records, listing), "application/octet-stream")
      }
    // Headers are ASCII.
    let name = type.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return WebResponse(
      status: 200,
      headers: [
        "Content-Type": mediaType,
        "Content-Disposition":
          "attachment; filename=\"\(name.isEmpty ? "Records" : name).\(format.rawValue)\"",
      ], body: content)
  }

  private func records(_ listing: RecordListing) throws -> [ResultRecord] {
    let match = try listing.match()
    var records: [ResultRecord] = []
    var after: QueryPosition?
    repeat {
      let page = try listing.page(match, after: after, limit: 5000)
      // A damaged record is an error: the file would miss it.
      records += try page.results.map { try $0.result.get() }
      guard records.count <= Self.maxRecords else {
        throw WebError(
          .badRequest,
          "more than \(Numbers.grouped(Self.maxRecords)) records match; ask for fewer, or use the tool"
        )
      }
      after = page.last
    } while after != nil
    return records
  }

  /// The lines of a bundle as an array.
  private func json(_ records: [ResultRecord], _ database: DatabaseScope) throws -> Data {
    let lines = try records.map { try context.disclosure.line($0, database) }
    return JSONValue.array(lines).compactData
  }

  private func csv(_ records: [ResultRecord], _ listing: RecordListing) throws -> Data {
    let objects = records.map { $0.asObject(.init()) }
    let schema = try context.source.info().schemaDocument(of: "the container")?.schema
    let type = schema?.recordType(named: listing.type)
    let columns = RecordColumns(
      type, stored: records, records: objects,
      chosen: context.items.filter { $0.name == RecordColumns.name }.map(\.value),
      first: try listing.first(type)
    ).shown
    var text = CSV.line(["recordName"] + columns.map(\.title)) + "\r\n"
    for (record, object) in zip(records, objects) {
      let cells = try columns.map { try cell($0.name, record, object) }
      text += CSV.line([CSV.withoutFormula(record.recordID.recordName)] + cells) + "\r\n"
    }
    return Data(text.utf8)
  }

  private func cell(
    _ name: String, _ record: ResultRecord, _ object: ResultRecord
  ) throws -> String? {
    switch RecordColumns.systemValue(name, of: record) {
    case .date(let date): return date?.isoText
    case .text(let text): return text
    case .parent(let recordID): return recordID?.recordName
    case nil: break
    }
    guard let field = object.field(named: name) else { return nil }
    guard !field.isEncrypted || context.showsEncrypted else { return FieldText.masked }
    let text = try field.value.cellText(context.disclosure)
    return field.value.isText ? CSV.withoutFormula(text) : text
  }

  /// A bundle with the zone, the records and their assets.
  private func bundle(_ records: [ResultRecord], _ listing: RecordListing) throws -> Data {
    let store = try ContainerStore.inMemory(info: try context.source.info())
    let zone = try context.source.zones().first {
      $0.database == listing.database && $0.zone.zoneID == listing.zoneID
    }?.zone
    try store.importTransaction { transaction in
      if let zone { try transaction.add(zone, to: listing.database) }
      for record in records { try transaction.add(record, to: listing.database) }
      for digest in Set(records.flatMap(\.assetDigests)).sorted() {
        guard let content = try self.content(ofAsset: digest) else { continue }
        try content.withUnsafeBytes {
          try transaction.addAssetChunk($0, at: 0, ofAsset: digest, size: Int64(content.count))
        }
      }
    }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("records.recordpack")
    try Archiver().run(from: [.container(store)], into: .bundle(path: path))
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Returns the content of an asset; nil for one that the container does not have.
  private func content(ofAsset digest: String) throws -> Data? {
    var content = Data()
    do {
      try context.source.forEachChunk(ofAsset: digest) { content.append(contentsOf: $0) }
      return content
    } catch let error as ContainerStoreError where error.code == .assetNotFound {
      return nil
    }
  }
}
