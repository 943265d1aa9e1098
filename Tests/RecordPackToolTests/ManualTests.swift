import Foundation
import Testing

@Suite("Man pages")
struct ManualTests {
  @Test("Scripts/man writes a page for each command, which man shows without a warning")
  func pages() async throws {
    try await withFolder { folder in
      let generator = Place.products.appending(path: "generate-manual").path
      guard FileManager.default.isExecutableFile(atPath: generator) else {
        return print("skipped: generate-manual is not built")
      }
      let script = Place.inPackage("Scripts/man")
      let made = try await ToolProcess.shell(
        "PRODUCTS='\(Place.products.path)' '\(script)' pages", in: folder)
      #expect(made.code == 0, "\(made.errors)")
      for name in ["recordpack", "recordpack-put", "recordpack-schema-diff"] {
        #expect(Samples.exists("pages/\(name).1", in: folder), "\(name)")
      }
      #expect(!made.output.contains(".new"))
      guard Command.exists("man") else {
        return print("skipped: man is not installed")
      }
      let shown = try await ToolProcess.shell(
        "MANWIDTH=80 man --warnings -l pages/recordpack-put.1", in: folder)
      #expect(shown.code == 0)
      #expect(shown.errors.isEmpty, "\(shown.errors)")
      #expect(shown.output.contains("  recordpack put Tact.sqlite --type Note title="))
    }
  }
}
