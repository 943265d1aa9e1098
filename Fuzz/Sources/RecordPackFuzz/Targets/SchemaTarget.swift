import Foundation
import RecordSchema

/// Schemas in the `.ckdb` language; what stands behind a line `=====` is a second one.
struct SchemaTarget: FuzzTarget {
  private static let separator = Array("\n=====\n".utf8)

  func run(_ input: [UInt8]) throws {
    let parts = parts(of: input)
    let documents = parts.map { SchemaDocument(parsing: $0) }
    for document in documents {
      _ = document.diagnosticText()
      check(document)
    }
    guard let from = documents.first, let to = documents.dropFirst().first, !from.hasErrors,
      !to.hasErrors
    else { return }
    compare(from, to)
  }

  private func parts(of input: [UInt8]) -> [[UInt8]] {
    guard let range = input.firstRange(of: Self.separator) else { return [input] }
    return [Array(input[..<range.lowerBound]), Array(input[range.upperBound...])]
  }

  private func check(_ document: SchemaDocument) {
    let checker = SchemaChecker()
    guard !document.hasErrors else {
      require((try? checker.validate(document)) == nil, "a damaged schema is validated")
      return
    }
    let schema = document.schema
    for order in [SchemaPrinter.Order.canonical, .asWritten] {
      let printer = SchemaPrinter(order: order)
      let text = printer.print(schema)
      let again = SchemaDocument(parsing: text)
      require(
        !again.hasErrors, "a printed schema has errors: \(again.diagnosticText())\n\(text)")
      require(
        SchemaDiff(from: schema, to: again.schema).isEmpty,
        "a printed schema means something else: \(text)")
      let twice = printer.print(again.schema)
      require(twice == text, difference(twice.utf8, text.utf8))
      require(printer.isPrinted(again), "a printed schema is not as it would be printed")
    }
    let report = requireNoError("validating a schema") { try checker.validate(document) }
    render(report)
    compare(document, document)
    let same = SchemaDiff(from: schema, to: schema)
    require(same.isEmpty, "a schema differs from itself: \(same.changes)")
  }

  private func compare(_ from: SchemaDocument, _ to: SchemaDocument) {
    for kind in [SchemaCheckKind.deploy, .drift] {
      let report = requireNoError("comparing schemas") {
        try SchemaChecker().compare(from: from, to: to, kind: kind)
      }
      render(report)
    }
    let diff = SchemaDiff(from: from.schema, to: to.schema)
    let applied = from.schema.applying(diff)
    require(
      SchemaDiff(from: applied, to: to.schema).isEmpty, "a difference does not lead to its end")
  }

  private func render(_ report: SchemaReport) {
    for format in SchemaReportFormat.allCases {
      let text = report.text(as: format)
      guard format == .json || format == .sarif else { continue }
      require(
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil,
        "a report is no JSON: \(text.prefix(2000))")
    }
  }
}
