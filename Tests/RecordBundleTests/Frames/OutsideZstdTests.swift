import Foundation
import Testing

@testable import RecordBundle

/// Two skippable frames are at the end: the seal and the seek table.
@Suite("The zstd command on our files", .enabled(if: Command.exists("zstd")))
struct OutsideZstdTests {
  @Test("It tests, lists and decompresses them", arguments: [-1, 2, 3, 19])
  func decompresses(level: Int) async throws {
    let directory = try TestFolder()
    let lines = Sample.lines(2000)
    let options = FrameWriter.Options.small(level: level, frameSize: 10_000, threads: 2)
    let path = try directory.write(try Sample.file(lines, options), as: "ours.recordpack")
    #expect(try await Command("zstd", "-t", "-q", path).code == 0)
    let result = try await Command("zstd", "-dc", path, mergesErrors: false)
    #expect(result.code == 0)
    #expect(result.bytes == Data(lines.map { $0 + "\n" }.joined().utf8))
    // `zstd -lv` needs a file name with the extension `.zst`.
    let named = try directory.write(try Sample.file(lines, options), as: "ours.zst")
    let text = try await Command("zstd", "-lv", named).output
    let frames = try FrameReader(path: path).frameCount
    #expect(text.contains("# Zstandard Frames: \(frames)"))
    #expect(text.contains("# Skippable Frames: 2"))
  }

  @Test("What it wrote is no bundle, and we say so")
  func foreign() async throws {
    let directory = try TestFolder()
    let text = Sample.lines(300).dropFirst().map { $0 + "\n" }.joined()
    let plain = try directory.write(Array(text.utf8), as: "plain")
    #expect(try await Command("zstd", "-q", plain, "-o", directory.path("z")).code == 0)
    let error = frameError { _ = try FrameReader(path: directory.path("z")) }
    #expect(error?.code == .notABundle)
  }
}
