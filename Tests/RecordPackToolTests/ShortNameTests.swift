import Foundation
import Testing

@Suite("Files with names of one character")
struct ShortNameTests {
  @Test("are written, read and named like others")
  func names() async throws {
    try await withFolder { folder in
      try Samples.copyPlans(to: folder)
      for (name, copy) in [
        ("v2.yml", "p"), ("v1.ckdb", "s"), ("v1.ckdb", "v1.ckdb"), ("v2.ckdb", "v2.ckdb"),
      ] {
        try FileManager.default.copyItem(
          atPath: "\(folder)/Plans/\(name)", toPath: "\(folder)/\(copy)")
      }
      for line in [
        "import Plans/v1.recordpack c", "export c -o b --validate --schema s",
        "export c -o n --split-size 1MiB", "recover b -o r --unverified u",
        "import b '中'", "diff c '中'", "migrate c --plan p -o m", "migrate c --plan p --in-place",
      ] {
        let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
        #expect(result.code == 0, "\(line): \(result.code) \(result.errors)")
      }
      let refused = try await ToolProcess.run("export", "c", "-o", "c", "--force", in: folder)
      #expect(refused.code == 2 && refused.errors.contains("input"), "\(refused.errors)")
    }
  }
}
