/// A machine-readable report, version 1. Members may be added, but never change or disappear.
enum JSONReport {
  static let version = 1

  static func render(_ report: SchemaReport) -> String {
    let count = { (severity: SchemaSeverity) in JSONText.integer(report.count(of: severity)) }
    let summary: JSONText = [
      "error": count(.error), "warning": count(.warning), "note": count(.note),
      "info": count(.info), "suppressed": .integer(report.suppressed.count),
    ]
    let suppressed = report.suppressed.map { object($0.finding, $0.suppression) }
    let json: JSONText = [
      "format": "recordpack.schema.report", "version": .integer(version),
      "question": .string(report.kind.rawValue), "from": .optional(report.from),
      "to": .string(report.to), "records": report.records.map(object),
      "source": report.source.map(object), "model": report.model.map(object), "summary": summary,
      "findings": .array(report.findings.map { object($0) }), "suppressed": .array(suppressed),
      "limitedRules": report.limitedRules.isEmpty
        ? nil : .array(report.limitedRules.map { .string($0.rawValue) }),
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

  private static func object(_ model: SchemaReport.CheckedModel) -> JSONText {
    let containers = model.containers.map { container -> JSONText in
      ["name": .string(container.name), "location": object(container.location)]
    }
    return [
      "library": .string(model.library), "containers": .array(containers),
      "notes": .array(model.notes.map(JSONText.string)),
    ]
  }

  private static func object(
    _ finding: SchemaFinding, _ suppression: Suppression? = nil
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
      "reason": .optional(suppression?.reason),
      "allowedBy": suppression.map { object($0.source) },
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

  private static func object(_ source: Suppression.Source) -> JSONText {
    switch source {
    case .comment(let location): object(location)
    case .configuration(let file, let line): ["file": .string(file), "line": .integer(line)]
    }
  }

  private static func object(_ location: SchemaLocation) -> JSONText {
    let span = location.span
    if location.isWhole { return ["file": .string(location.file)] }
    return [
      "file": .string(location.file), "line": .integer(span.line), "column": .integer(span.column),
      "offset": .integer(span.offset), "length": .integer(span.length),
    ]
  }
}

/// A JSON value that preserves the order of members, for reports that are also read by people.
indirect enum JSONText: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  case string(String)
  case integer(Int)
  case array([JSONText])
  /// An object. Members that are `nil` are omitted.
  case object([(String, JSONText?)])

  init(stringLiteral text: String) { self = .string(text) }
  init(arrayLiteral elements: JSONText...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONText?)...) { self = .object(members) }

  static func optional(_ text: String?) -> JSONText? { text.map { .string($0) } }

  /// The JSON text with two spaces of indentation and a trailing newline.
  var rendered: String {
    var output = ""
    write(to: &output, indent: 0)
    return output + "\n"
  }

  private func write(to output: inout String, indent: Int) {
    switch self {
    case .string(let text): Self.write(text, to: &output)
    case .integer(let number): output += String(number)
    case .array(let elements):
      Self.writeList(elements, "[", "]", to: &output, indent: indent) { element, output in
        element.write(to: &output, indent: indent + 1)
      }
    case .object(let members):
      let present = members.compactMap { name, value in value.map { (name, $0) } }
      Self.writeList(present, "{", "}", to: &output, indent: indent) { member, output in
        Self.write(member.0, to: &output)
        output += ": "
        member.1.write(to: &output, indent: indent + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to output: inout String, indent: Int,
    _ write: (Element, inout String) -> Void
  ) {
    output += open
    for (index, element) in elements.enumerated() {
      output += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
      write(element, &output)
    }
    if !elements.isEmpty { output += "\n" + String(repeating: "  ", count: indent) }
    output += close
  }

  private static func write(_ text: String, to output: inout String) {
    let escaped = text.replacingScalars { scalar in
      switch scalar {
      case "\"": return "\\\""
      case "\\": return "\\\\"
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      default:
        return scalar.isControlling ? scalar.spelledOut : nil
      }
    }
    output += "\"" + escaped + "\""
  }
}
