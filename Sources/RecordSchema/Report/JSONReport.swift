/// A machine-readable report, version 1. Members may be added, but never change or disappear.
enum JSONReport {
  static let version = 1

  static func render(_ report: SchemaReport) -> String {
    JSONText.object([
      ("format", .string("recordpack.schema.report")),
      ("version", .integer(version)),
      ("question", .string(report.question.rawValue)),
      ("from", .optional(report.from)),
      ("to", .string(report.to)),
      (
        "records",
        report.records.map {
          .object([
            ("source", .string($0.source)), ("records", .integer($0.records)),
            ("subscriptions", .integer($0.subscriptions)),
          ])
        }
      ),
      (
        "summary",
        .object([
          ("error", .integer(report.count(of: .error))),
          ("warning", .integer(report.count(of: .warning))),
          ("note", .integer(report.count(of: .note))),
          ("info", .integer(report.count(of: .info))),
          ("suppressed", .integer(report.suppressedCount)),
        ])
      ),
      ("findings", .array(report.findings.map { .object(members(of: $0)) })),
      (
        "suppressed",
        .array(
          report.suppressed.map { .object(members(of: $0.finding) + members(of: $0.allowance)) })
      ),
      ("omitted", report.omitted.isEmpty ? nil : .array(report.omitted.map(object))),
      ("growth", report.growth.map(object)),
    ]).rendered
  }

  private static func members(of finding: SchemaFinding) -> [(String, JSONText?)] {
    [
      ("rule", .string(finding.rule.rawValue)),
      ("category", .string(finding.category.rawValue)),
      ("severity", .string(finding.severity.rawValue)),
      ("subject", .string(finding.subject.description)),
      ("recordType", .optional(finding.subject.recordType)),
      ("field", .optional(finding.subject.field)),
      ("role", .optional(finding.subject.role)),
      ("message", .string(finding.message)),
      ("hint", .optional(finding.hint)),
      ("location", finding.location.map(object)),
      ("formerLocation", finding.formerLocation.map(object)),
      ("records", finding.records.map(object)),
    ]
  }

  private static func object(_ omitted: SchemaReport.Omitted) -> JSONText {
    .object([
      ("rule", .string(omitted.rule.rawValue)),
      ("severity", .string(omitted.severity.rawValue)),
      ("findings", .integer(omitted.findings)), ("suppressed", .integer(omitted.suppressed)),
    ])
  }

  private static func object(_ growth: SchemaGrowth) -> JSONText {
    .object([
      ("schema", .string(SchemaPrinter().print(growth.schema))),
      ("additions", .array(growth.additions.map { .string($0) })),
      (
        "remarks",
        .array(
          growth.remarks.map {
            .object([
              ("subject", .string($0.subject.description)), ("message", .string($0.text)),
            ])
          })
      ),
    ])
  }

  private static func object(_ sample: RecordSample) -> JSONText {
    .object([
      ("count", .integer(sample.count)),
      (
        "examples",
        .array(
          sample.examples.map { example in
            .object([
              ("database", .string(example.database.rawValue)),
              ("zoneName", .string(example.recordID.zoneID.zoneName)),
              ("ownerName", .string(example.recordID.zoneID.ownerName)),
              ("recordName", .string(example.recordID.recordName)),
            ])
          })
      ),
    ])
  }

  private static func members(of allowance: SchemaAllowance) -> [(String, JSONText?)] {
    var allowedBy: JSONText
    switch allowance.source {
    case .comment(let location): allowedBy = object(location)
    case .configuration(let file, let line):
      allowedBy = .object([("file", .string(file)), ("line", .integer(line))])
    }
    return [("reason", .string(allowance.reason)), ("allowedBy", allowedBy)]
  }

  private static func object(_ location: SchemaLocation) -> JSONText {
    .object([
      ("file", .string(location.file)),
      ("line", .integer(location.span.line)),
      ("column", .integer(location.span.column)),
      ("offset", .integer(location.span.offset)),
      ("length", .integer(location.span.length)),
    ])
  }
}
