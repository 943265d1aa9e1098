import Foundation

/// A folder for the files of one process, in memory where the system has such a place.
struct WorkFolder {
  let url: URL

  init() throws {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let base =
      FileManager.default.fileExists(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    url = base.appendingPathComponent("recordpack-fuzz-\(getpid())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    Self.paths.append(url.path)
    atexit { for path in WorkFolder.paths { try? FileManager.default.removeItem(atPath: path) } }
  }

  nonisolated(unsafe) private static var paths: [String] = []

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// Changes to a sample, one a line: `@OFFSET=BYTES` writes over the bytes at an offset.
enum BytePatch {
  static func apply(_ line: ArraySlice<UInt8>, to bytes: inout Data) -> Bool {
    guard line.first == UInt8(ascii: "@"), let equals = line.firstIndex(of: UInt8(ascii: "=")),
      let offset = UInt32(String(decoding: line[(line.startIndex + 1)..<equals], as: UTF8.self))
    else { return false }
    let start = Int(offset) % bytes.count
    for (index, byte) in zip(start..<bytes.count, line[(equals + 1)...]) { bytes[index] = byte }
    return true
  }
}
