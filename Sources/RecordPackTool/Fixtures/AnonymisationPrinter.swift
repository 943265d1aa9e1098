import RecordCoding
import RecordFixtures
import RecordModel
import RecordText

/// Prints what an anonymisation changed.
struct AnonymisationPrinter {
  private let result: AnonymisationReport
  private let output: String
  private let report: ReportOptions

  init(_ result: AnonymisationReport, to output: String, _ report: ReportOptions) {
    self.result = result
    self.output = output
    self.report = report
  }

  private var fields: [(key: AnonymisationReport.Key, field: AnonymisationReport.Field)] {
    result.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func print() throws {
    let isPiped = output == "-"
    if report.isJSON {
      return try report.tell([document.visibleText], onStandardError: isPiped)
    }
    var lines = [
      "Anonymised \(Numbers.count(result.records, "record")) to "
        + (isPiped ? "standard output" : output).visible
        + (result.assets > 0 ? "; \(Numbers.count(result.assets, "asset"))" : "")
    ]
    var table = Table([.left, .left, .right, .left])
    for (key, field) in fields {
      let rules = field.rules.map(\.rawValue).sorted().joined(separator: ", ")
      table.add([
        .init("\(key.recordType).\(key.field)"), .init(rules, field.kept > 0 ? .yellow : nil),
        .init(Numbers.grouped(field.replaced + field.kept)),
        .init(Self.notes(field).joined(separator: "; "), field.hasFindings ? .red : nil),
      ])
    }
    lines += table.lines(report.style, indent: "  ")
    if result.droppedFields > 0 {
      lines.append(
        "  left out: \(Numbers.count(result.droppedFields, "value")) of unknown types")
    }
    if result.droppedMembers > 0 {
      lines.append("  left out: \(Numbers.count(result.droppedMembers, "unknown member"))")
    }
    try report.tell(lines, onStandardError: isPiped)
  }

  private static func notes(_ field: AnonymisationReport.Field) -> [String] {
    var notes: [String] = []
    if field.misfits > 0 {
      notes.append("\(Numbers.count(field.misfits, "text")) of another form")
    }
    if field.emails > 0 {
      notes.append("\(Numbers.count(field.emails, "email address", plural: "email addresses"))")
    }
    if field.phones > 0 { notes.append("\(Numbers.count(field.phones, "phone number"))") }
    if field.names > 0 { notes.append("\(Numbers.count(field.names, "word")) of names") }
    return notes
  }

  /// Warns of what still looks personal, and of rules that may be misspelled.
  func warn() {
    if !result.unmetRules.isEmpty {
      ErrorReport.warn("no record has what the policy names: \(result.unmetRules.firstFew)")
    }
    for (key, field) in result.findings {
      var found: [String] = []
      if field.emails > 0 { found.append("email addresses") }
      if field.phones > 0 { found.append("phone numbers") }
      if field.names > 0 { found.append("names of the source") }
      ErrorReport.warn(
        "\(key.recordType).\(key.field) was kept, and has what looks like "
          + found.joined(separator: " and "))
    }
    if result.linesWithEmails > 0, result.findings.allSatisfy({ $0.field.emails == 0 }) {
      ErrorReport.warn(
        "\(Numbers.count(result.linesWithEmails, "record")) of the result have what looks like an "
          + "email address")
    }
    if result.isNameSearchCut {
      ErrorReport.warn("there were too many words to compare all with the names of the source")
    }
    if result.missingAssets > 0 {
      ErrorReport.warn(
        "the source does not have the bytes of \(Numbers.count(result.missingAssets, "asset"))")
    }
  }

  private var document: JSONValue {
    ReportOptions.document(
      "fixture-anonymise",
      [
        .init("records", .integer(result.records)), .init("assets", .integer(result.assets)),
        .init("missingAssets", .integer(result.missingAssets)),
        .init("droppedFields", .integer(result.droppedFields)),
        .init("droppedMembers", .integer(result.droppedMembers)),
        .init("recordsWithEmails", .integer(result.linesWithEmails)),
        .init("isNameSearchCut", .bool(result.isNameSearchCut)),
        .init("unmetRules", .array(result.unmetRules.map { .string($0) })),
        .init(
          "fields",
          .array(
            fields.map { key, field in
              .object([
                .init("recordType", .string(key.recordType)), .init("field", .string(key.field)),
                .init("rules", .array(field.rules.map(\.rawValue).sorted().map { .string($0) })),
                .init("replaced", .integer(field.replaced)), .init("kept", .integer(field.kept)),
                .init("misfits", .integer(field.misfits)), .init("emails", .integer(field.emails)),
                .init("phones", .integer(field.phones)), .init("names", .integer(field.names)),
              ])
            })),
      ])
  }
}
