/// A machine-readable report, version 1. Members may be added, but never change or disappear.
enum JSONReport {
  static let version = 1

  static func render(_ report: SchemaReport) -> String {
    let count = { (severity: SchemaSeverity) in JSONText.integer(report.count(of: severity)) }
    let summary: JSONText = [
      "error": count(.error), "warning": count(.warning), "note": count(.note),
      "info": count(.info), "suppressed": .integer(report.suppressedCount),
    ]
    let suppressed = report.suppressed.map { object($0.finding, $0.allowance) }
    let json: JSONText = [
      "format": "recordpack.schema.report", "version": .integer(version),
      "question": .string(report.question.rawValue), "from": .optional(report.from),
      "to": .string(report.to), "records": report.records.map(object),
      "source": report.source.map(object), "summary": summary,
      "findings": .array(report.findings.map { object($0) }), "suppressed": .array(suppressed),
      "omitted": report.omitted.isEmpty ? nil : .array(report.omitted.map(object)),
      "extendedSchema": report.extendedSchema.map(object),
    ]
    return json.rendered
  }

  private static func object(_ records: SchemaReport.CheckedRecords) -> JSONText {
    [
      "source": .string(records.source), "records": .integer(records.records),
      "subscriptions": .integer(records.subscriptions),
    ]
  }

  private static func object(_ source: SchemaReport.CheckedSource) -> JSONText {
    [
      "source": .string(source.source), "files": .integer(source.files),
      "uses": .integer(source.uses), "computed": .integer(source.computed.count),
      "computedLocations": .array(source.computed.prefix(SchemaReport.maxFindings).map(object)),
    ]
  }

  private static func object(
    _ finding: SchemaFinding, _ allowance: SchemaAllowance? = nil
  ) -> JSONText {
    [
      "rule": .string(finding.rule.rawValue), "category": .string(finding.category.rawValue),
      "severity": .string(finding.severity.rawValue),
      "subject": .string(finding.subject.description),
      "recordType": .optional(finding.subject.recordType),
      "field": .optional(finding.subject.field), "role": .optional(finding.subject.role),
      "message": .string(finding.message), "hint": .optional(finding.hint),
      "location": finding.location.map(object),
      "formerLocation": finding.formerLocation.map(object), "records": finding.records.map(object),
      "reason": .optional(allowance?.reason), "allowedBy": allowance.map { object($0.source) },
    ]
  }

  private static func object(_ omitted: SchemaReport.Omitted) -> JSONText {
    [
      "rule": .string(omitted.rule.rawValue), "severity": .string(omitted.severity.rawValue),
      "findings": .integer(omitted.findings), "suppressed": .integer(omitted.suppressed),
    ]
  }

  private static func object(_ extended: ExtendedSchema) -> JSONText {
    let notes = extended.notes.map { note -> JSONText in
      ["subject": .string(note.subject.description), "message": .string(note.text)]
    }
    return [
      "schema": .string(SchemaPrinter().print(extended.schema)),
      "additions": .array(extended.additions.map(JSONText.string)), "notes": .array(notes),
    ]
  }

  private static func object(_ sample: RecordSample) -> JSONText {
    let examples = sample.examples.map { example -> JSONText in
      let recordID = example.recordID
      return [
        "database": .string(example.database.rawValue),
        "zoneName": .string(recordID.zoneID.zoneName),
        "ownerName": .string(recordID.zoneID.ownerName), "recordName": .string(recordID.recordName),
      ]
    }
    return ["count": .integer(sample.count), "examples": .array(examples)]
  }

  private static func object(_ source: SchemaAllowance.Source) -> JSONText {
    switch source {
    case .comment(let location): object(location)
    case .configuration(let file, let line): ["file": .string(file), "line": .integer(line)]
    }
  }

  private static func object(_ location: SchemaLocation) -> JSONText {
    let span = location.span
    return [
      "file": .string(location.file), "line": .integer(span.line), "column": .integer(span.column),
      "offset": .integer(span.offset), "length": .integer(span.length),
    ]
  }
}
