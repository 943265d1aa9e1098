import Foundation
import RecordSchema
import TestSupport
import Testing

@Suite("Generated code of real schemas")
struct GeneratedCompilationTests {
  @Test(
    "the code of every schema of the corpus compiles",
    .enabled(if: TestSupport.Place.corpus("ckdb") != nil, "there is no folder of real schemas"))
  func corpus() async throws {
    let folder = try #require(TestSupport.Place.corpus("ckdb"))
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    var schemas: [CloudSchema] = []
    for path in (paths ?? []).sorted() where path.hasSuffix(".ckdb") {
      guard let bytes = try? Data(contentsOf: folder.appending(path: path)) else { continue }
      let document = SchemaDocument(parsing: Array(bytes), name: path)
      if !document.hasErrors { schemas.append(document.schema) }
    }
    #expect(schemas.count > 50)
    try await compile(TestAmount.of(schemas, oneIn: 4))
  }

  @Test("the code of types and fields with names that Swift uses compiles")
  func oddNames() async throws {
    let text = """
      DEFINE SCHEMA
      RECORD TYPE class ( default STRING, place LOCATION, bytes BYTES, self INT64, init DOUBLE,
        Type STRING, hashValue INT64, description STRING, Field ASSET, in STRING, await STRING,
        inout STRING, let STRING, var INT64 );
      RECORD TYPE "Type" ( a LIST<LOCATION>, b LIST<ASSET>, c LIST<BYTES>, d LIST<TIMESTAMP>,
        e LIST<INT64>, f LIST<DOUBLE>, g LIST<STRING>, h LIST<REFERENCE> );
      RECORD TYPE Location ( latitude DOUBLE, Reference REFERENCE );
      RECORD TYPE String ( text STRING, list LIST<STRING>, number INT64 );
      RECORD TYPE Data ( Data BYTES, share REFERENCE, update TIMESTAMP, draft STRING );
      RECORD TYPE Hashable ( record STRING, RecordView STRING, Foundation STRING, Swift INT64 );
      RECORD TYPE "my type" ( parent STRING, parent_ STRING, Date TIMESTAMP, "a-b" STRING,
        a_b STRING, "1st" STRING, "\u{e9}\u{2028}" STRING, "a\\b" STRING );
      RECORD TYPE "9 lives" ( x NUMBER );
      RECORD TYPE Nothing ( "___recordID" REFERENCE );
      """
    let document = SchemaDocument(parsing: text)
    #expect(!document.hasErrors, "\(document.diagnosticText())")
    // Each access has code of its own; the first is public.
    try await compile([document.schema, document.schema])
  }

  /// Compiles the code of schemas, with all options.
  private func compile(_ schemas: [CloudSchema]) async throws {
    var code = "import Foundation\nimport RecordCoding\nimport RecordModel\n"
    for (number, schema) in schemas.enumerated() {
      code += Self.nested(SwiftSource(schema, Self.options(number)).merged, in: "Schema\(number)")
    }
    let work = try TestFolder()
    let file = try work.write(Array(code.utf8), as: "Generated.swift")
    let crypto = TestSupport.Place.inPackage("Sources/CCrypto")
    let result = try await Command(
      "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I",
      TestSupport.Place.products.appending(path: "Modules").path, "-Xcc", "-I", "-Xcc", crypto,
      "-I",
      crypto, file)
    #expect(result.code == 0, "\(result.output.prefix(4000))")
  }

  /// The code with its types in a scope: schemas have types of the same name. Extensions stay outside.
  private static func nested(_ text: String, in scope: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var types: [String] = []
    var extensions: [String] = []
    var isExtension = false
    for line in lines where !line.hasPrefix("import ") {
      if line.hasPrefix("extension ") {
        isExtension = true
        extensions.append("extension \(scope).\(line.dropFirst("extension ".count))")
      } else if isExtension {
        extensions.append(String(line))
        if line == "}" { isExtension = false }
      } else {
        types.append(String(line))
      }
    }
    return "enum \(scope) {\n\(types.joined(separator: "\n"))\n}\n"
      + extensions.joined(separator: "\n") + "\n"
  }

  private static func options(_ number: Int) -> SwiftSource.Options {
    var options = SwiftSource.Options()
    options.hasSystemFields = number % 2 == 0
    options.access = number % 3 == 0 ? .public : .internal
    return options
  }
}
