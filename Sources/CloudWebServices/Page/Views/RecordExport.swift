import Foundation
import RecordArchive
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// The records of a table as a file: all that match, in their order.
struct RecordExport {
  let context: ConsoleRequest
  /// The records that the file would lack because the condition does not apply to them.
  let unjudged = UnjudgedRecords()

  /// The name of the number of such records, with which somebody accepts that they are left out.
  private static let withoutName = "without"

  /// The kinds of files.
  enum Format: String, CaseIterable {
    case json, csv
    case bundle = "recordpack"

    var facts: (title: String, mediaType: String) {
      switch self {
      case .json: ("JSON", "application/json")
      case .csv: ("CSV", "text/csv; charset=UTF-8")
      case .bundle: ("Bundle", "application/octet-stream")
      }
    }
  }

  /// The number of records of a file.
  private static let maxRecords = 1_000_000
  /// The number of records that are in memory at a time.
  private static let pageSize = 1_000

  /// The file, or a page that says which records the file would lack.
  ///
  /// The file is made in a temporary folder, and sent from there: memory does not grow with the
  /// records.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST` for too many records.
  func response() throws -> WebResponse {
    guard let format = context.value("format").flatMap(Format.init),
      let type = context.value("type")
    else { throw WebError(.badRequest, "the address names no format and type") }
    let listing = RecordListing(
      context: context, zone: try context.zone(), type: type, makesIndexes: true)
    guard try !listing.comparesEncrypted() else {
      throw WebError(.badRequest, "a condition says only 'has FIELD' of an encrypted field")
    }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("file")
    do {
      switch format {
      case .json: try json(listing, to: path)
      case .csv: try csv(listing, to: path)
      case .bundle: try bundle(listing, in: folder, to: path)
      }
    } catch let error as QueryPredicateError {
      throw WebError(.badRequest, "\(error)")
    }
    let missing = unjudged.count
    guard missing == 0 || context.value(Self.withoutName) == String(missing) else {
      return WebResponse(html: refusal(listing, format, missing), status: 409)
    }
    return WebResponse(
      file: type, format.rawValue, format.facts.mediaType,
      try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped))
  }

  /// The page in place of a file that would lack records.
  private func refusal(_ listing: RecordListing, _ format: Format, _ missing: Int) -> HTML {
    let items = listing.items()
    let file = context.link(
      .export, items + [("format", format.rawValue), (Self.withoutName, String(missing))])
    return context.page(
      "Export", trail: context.trail(listing.zone), live: nil,
      foot: """
        \(unjudged.html(context, listing.zone.database))
        <p>The file would not contain \(missing == 1 ? "this record" : "these records").</p>
        <p class="buttons"><a class="button" href="\(file)">Export without \
        \(Numbers.count(missing, "record"))</a>
        <a class="button plain" href="\(context.link(.records, items))">Back to the table</a></p>
        """)
  }

  private func forEachPage(
    _ listing: RecordListing, _ body: ([ResultRecord]) throws -> Void
  ) throws {
    let match = try listing.match(unjudged)
    var count = 0
    var after: QueryPosition?
    repeat {
      let page = try listing.page(match, after: after, limit: Self.pageSize)
      count += page.results.count
      guard count <= Self.maxRecords else {
        throw WebError(
          .badRequest,
          "more than \(Numbers.grouped(Self.maxRecords)) records match; ask for fewer, or use the tool"
        )
      }
      // A damaged record is an error: the file would miss it.
      try body(page.results.map { try $0.result.get() })
      after = page.last
    } while after != nil
  }

  /// Writes a text for each page of records, between a beginning and an end.
  private func write(
    _ listing: RecordListing, to path: String, from beginning: String, to end: String = "",
    _ text: ([ResultRecord]) throws -> String
  ) throws {
    try Data(beginning.utf8).write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try forEachPage(listing) { try file.write(contentsOf: Data(text($0).utf8)) }
    try file.write(contentsOf: Data(end.utf8))
  }

  /// The lines of a bundle as an array.
  private func json(_ listing: RecordListing, to path: String) throws {
    var separator = ""
    try write(listing, to: path, from: "[", to: "]") { records in
      defer { separator = "," }
      let lines = try records.map {
        try context.disclosure.line($0, listing.zone.database).compactText
      }
      return (lines.isEmpty ? "" : separator) + lines.joined(separator: ",")
    }
  }

  private func csv(_ listing: RecordListing, to path: String) throws {
    // The columns of the table: those of its first page, if the address names none.
    let first = try listing.page(try listing.match(), after: nil, limit: listing.pageSize).records
    let objects = try listing.objects(first)
    // Each page of records needs all links, so that links are read only for columns that have some.
    let hasLinks = zip(first, objects).contains { $0.asObject(.init()) != $1 }
    let columns = try listing.columns(first, objects).shown
    let titles = CSV.line(["recordName"] + columns.map(\.title)) + "\r\n"
    try write(listing, to: path, from: titles) { records in
      let objects = hasLinks ? try listing.objects(records) : records.map { $0.asObject(.init()) }
      return try zip(records, objects).map { record, object in
        let cells = try columns.map { try $0.field(of: record, object).map(cell) }
        return CSV.line([CSV.withoutFormula(record.recordID.recordName)] + cells) + "\r\n"
      }.joined()
    }
  }

  private func cell(_ field: Field) throws -> String {
    guard !field.isEncrypted || context.showsEncrypted else { return FieldText.masked }
    let text = try field.value.cellText(context.disclosure)
    return field.value.isText ? CSV.withoutFormula(text) : text
  }

  /// A bundle with the zone, the records and their assets.
  private func bundle(
    _ listing: RecordListing, in folder: TemporaryFolder, to path: String
  ) throws {
    let store = try ContainerStore.open(
      path: folder.file("records.sqlite"), mode: .create, info: try context.info())
    let zone = try context.source.zones().first {
      ZoneLocation($0.database, $0.zone.zoneID) == listing.zone
    }?.zone
    try store.importTransaction { transaction in
      if let zone { try transaction.add(zone, to: listing.zone.database) }
      var digests: Set<String> = []
      try forEachPage(listing) { records in
        for record in records {
          try transaction.add(record, to: listing.zone.database)
          digests.formUnion(record.assetDigests)
        }
      }
      for digest in digests.sorted() { try copyAsset(digest, to: transaction) }
    }
    try Archiver().run(from: [.container(store)], into: .bundle(path: path))
  }

  /// Copies the content of an asset, if the container has it.
  private func copyAsset(_ digest: String, to transaction: ImportTransaction) throws {
    try context.served.container.store.snapshot { snapshot in
      var size: Int64 = 0
      do {
        try snapshot.forEachAssetChunk(sha256: digest) { size = $0 + Int64($1.count) }
      } catch let error as ContainerStoreError where error.code == .assetNotFound {
        return
      }
      try snapshot.forEachAssetChunk(sha256: digest) { offset, bytes in
        try transaction.addAssetChunk(bytes, at: offset, ofAsset: digest, size: size)
      }
    }
  }
}
