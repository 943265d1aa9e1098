import Foundation
import TestSupport
import Testing

/// The Homebrew formula that the release workflow writes.
@Suite(.enabled(if: Command.exists("bash") && Command.exists("awk"), "bash and awk are needed"))
struct FormulaTests {
  private static let systems = ["linux-aarch64", "linux-x86_64", "macos-universal"]

  private func formula(version: String, sums: [String]) async throws -> Command {
    let script = Place.inPackage(".github/formula")
    return try await Command(
      "bash", "-c", "printf '%s\\n' \"$3\" | \"$1\" \"$2\" https://github.com/owner/recordpack",
      "bash", script, version, sums.joined(separator: "\n"))
  }

  private static func sum(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
  }

  private static let sums = systems.enumerated().map { number, system in
    "\(sum(number + 10))  recordpack-1.2.3-\(system).tar.xz"
  }

  @Test func `a formula has the address and the checksum of each archive`() async throws {
    let made = try await formula(version: "1.2.3", sums: Self.sums)
    #expect(made.code == 0, "\(made.output)")
    for (number, system) in Self.systems.enumerated() {
      let lines = made.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      let place = try #require(
        lines.firstIndex {
          $0 == "url \"https://github.com/owner/recordpack/releases/download/v1.2.3/"
            + "recordpack-1.2.3-\(system).tar.xz\""
        })
      #expect(lines[place + 1] == "sha256 \"\(Self.sum(number + 10))\"")
    }
    // Each block of Ruby has its end.
    let words = made.output.split(whereSeparator: \.isWhitespace)
    let begins = words.count { $0 == "do" || $0 == "def" || $0 == "class" }
    #expect(begins == words.count { $0 == "end" } && begins == 7)
    if Command.exists("ruby") {
      let folder = try TestFolder()
      try made.output.write(
        toFile: folder.path("recordpack.rb"), atomically: true, encoding: .utf8)
      #expect(try await Command("ruby", "-c", folder.path("recordpack.rb")).code == 0)
    }
  }

  @Test func `a missing archive, a wrong version and a wrong checksum are errors`() async throws {
    let short = Self.sums.map { $0.replacing("recordpack", with: "other") }
    for (version, sums) in [
      ("1.2.3", Array(Self.sums.dropLast())), ("1.2.4", Self.sums), ("1.2.3\"", Self.sums),
      ("1.2.3", short), ("1.2.3", Self.sums + Self.sums), ("1.2.3", []),
    ] {
      #expect(try await formula(version: version, sums: sums).code != 0, "\(version): \(sums)")
    }
  }
}
