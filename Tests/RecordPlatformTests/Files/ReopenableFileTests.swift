import Foundation
import RecordPlatform
import TestSupport
import Testing

@Suite("A file that is opened again when it is read")
struct ReopenableFileTests {
  private func withFiles(_ count: Int, _ body: ([String]) throws -> Void) throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let paths = (0..<count).map { folder.path("file-\($0)") }
    for (number, path) in paths.enumerated() {
      try Data("content \(number)".utf8).write(to: URL(filePath: path))
    }
    try body(paths)
  }

  private func file(_ path: String) throws -> ReopenableFile {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    return ReopenableFile(path: path, descriptor: descriptor, status: status)
  }

  private func content(_ file: ReopenableFile) throws -> String {
    try file.withDescriptor { descriptor in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  @Test("is read right, however many others are read beside it")
  func many() throws {
    try withFiles(3 * ReopenableFile.maxIdle) { paths in
      let files = try paths.map(file)
      for round in 0..<2 {
        for (number, file) in files.enumerated() {
          #expect(try content(file) == "content \(number)", "round \(round)")
        }
      }
    }
  }

  @Test("is not taken for another that got its name, nor for itself after a change")
  func replaced() throws {
    try withFiles(2 * ReopenableFile.maxIdle) { paths in
      let changed = try file(paths[0])
      let replaced = try file(paths[1])
      let others = try paths.dropFirst(2).map(file)
      for file in others { _ = try content(file) }
      for file in others { _ = try content(file) }
      try Data("CONTENT 0".utf8).write(to: URL(filePath: paths[0]))
      try FileManager.default.removeItem(atPath: paths[1])
      try FileManager.default.moveItem(atPath: paths[2], toPath: paths[1])
      for file in [changed, replaced] {
        let error = #expect(throws: SystemError.self) { try content(file) }
        #expect(error?.number == ESTALE)
      }
    }
  }
}
