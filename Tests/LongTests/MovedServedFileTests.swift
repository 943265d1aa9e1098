import Foundation
import Testing
import ToolTestSupport

/// A file that is moved, replaced, written over or removed while it is served.
@Suite(.enabled(if: Command.exists("python3"), "python3 is not installed"))
struct MovedServedFileTests {
  @Test(
    "is never lost without a word, whatever happens to it, and never unreadable", arguments: [1, 2])
  func events(seed: Int) async throws {
    let events = ProcessInfo.processInfo.environment["RECORDPACK_MOVES"] ?? "13"
    let folder = try TestFolder()
    let script = Place.inPackage("Tests/LongTests/moved_files.py")
    let result = try await Command(
      "python3", "-B", script, ToolProcess.path, "\(seed)", events, folder.path)
    #expect(result.code == 0, "\(result.output)")
  }
}
