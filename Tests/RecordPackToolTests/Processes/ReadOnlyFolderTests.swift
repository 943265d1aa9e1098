import Foundation
import Testing

@Suite("A folder that may not be written")
struct ReadOnlyFolderTests {
  /// The superuser writes anywhere, so the tool runs under another account.
  private static let account =
    geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

  /// Whether that account reaches the tool.
  private static func isPossible() async -> Bool {
    guard !account.isEmpty else { return true }
    let result = try? await ToolProcess.shell("\(account)recordpack --version", in: "/")
    return result?.code == 0
  }

  @Test(
    "A container in it can be read by every command that reads",
    .enabled("no other account reaches the tool") { await isPossible() })
  func read() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      chmod(folder + "/Tact.sqlite", 0o644)
      chmod(folder + "/Tact.recordpack", 0o644)
      chmod(folder, 0o555)
      defer { chmod(folder, 0o755) }
      for command in [
        "inspect Tact.sqlite", "query Tact.sqlite", "verify Tact.sqlite",
        "diff Tact.sqlite Tact.recordpack", "schema print Tact.sqlite", "export Tact.sqlite -o -",
      ] {
        let result = try await ToolProcess.shell("\(Self.account)recordpack \(command)", in: folder)
        #expect(result.code == 0, "\(command): \(result.errors)")
      }
      let changed = try await ToolProcess.shell(
        "\(Self.account)recordpack import Tact.recordpack Tact.sqlite", in: folder)
      #expect(changed.code == 2, "\(changed.errors)")
    }
  }
}
