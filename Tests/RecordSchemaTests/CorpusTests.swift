import Testing

@testable import RecordSchema

@Suite("Real schema files", .enabled(if: Corpus.isPresent, "the corpus is not beside the package"))
struct CorpusTests {
  /// Versions in Apple's export form, their order of types and fields included.
  static let exportForm: Set<String> = [
    "2001Y__app-4-marin/_schema__CloudKitSchema.ckdb/001-4d927247.ckdb",
    "alexanderchopan__casberi/docs__cloudkit-schema.ckdb/001-44146405.ckdb",
    "alexanderchopan__casberi/docs__cloudkit-schema.ckdb/002-fccb3504.ckdb",
    "alexanderchopan__casberi/docs__cloudkit-schema.ckdb/003-6f8c6a53.ckdb",
  ]

  @Test("parses without an error", arguments: Corpus.files)
  func parses(_ file: Corpus.File) throws {
    let document = SchemaDocument(parsing: try file.bytes, name: file.path)
    #expect(!document.hasErrors, "\(document.diagnosticText())")
    #expect(document.diagnostics.isEmpty, "\(document.diagnosticText())")
    let printed = SchemaPrinter(order: .canonical).print(document.schema)
    let aswritten = SchemaPrinter(order: .asWritten).print(document.schema)
    Swift.print(
      Array(printed.utf8) == document.source
        ? "EXPORT" : Array(aswritten.utf8) == document.source ? "ASIS" : "OTHER", file.path)
  }
}
