import RecordSchema

import RecordArchive
import RecordModel
import RecordPages

/// The schemas that a page of a report shows.
struct ReportedSchemas: Sendable {
  private let from: SchemaDocument?
  private let to: SchemaDocument?
  private let records: String?
  private let isQuiet: Bool

  /// - Parameters:
  ///   - records: A bundle or container, which is read for what its records refer to.
  ///   - isQuiet: Whether reading shows no progress.
  init(
    from: SchemaDocument? = nil, to: SchemaDocument? = nil, records: String? = nil,
    isQuiet: Bool = true
  ) {
    self.from = from
    self.to = to
    self.records = records
    self.isQuiet = isQuiet
  }

  /// The page of a report.
  func page(of report: SchemaReport, failOn: SchemaSeverity) throws -> String {
    let references = try records.map {
      try SchemaReferences(
        scanning: Inputs.source($0), ProgressBar("reading", isQuiet: isQuiet))
    }
    ProgressBar.clearLine()
    return SchemaReportPage(
      report, failOn: failOn, from: from?.schema, to: to?.schema, records: references
    ).document.html.text
  }
}

extension SchemaReferences {
  /// Counts the references of the records of a source, with a progress bar.
  init(
    scanning source: ArchiveSource, _ bar: ProgressBar, _ filter: RecordFilter = .all
  ) throws {
    var done = ArchiveProgress(records: 0, bytes: 0)
    try self.init(scanning: source, filter) {
      done.records += 1
      if done.records % 1024 == 0 { try bar.update(done) }
    }
  }
}
