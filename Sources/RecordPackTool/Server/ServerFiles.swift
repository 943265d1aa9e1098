import CloudWebServices
import Foundation
import RecordBundle
import RecordCoding
import RecordText
import Synchronization

/// The file with the address of a server, for programs that wait for it.
enum ReadyFile {
  /// Throws if the file has anything except an address. Scripts run `serve` again with the same file, so
  /// the address of an earlier server may be replaced.
  static func check(_ path: String) throws {
    try OutputFile.refuseForeign(path, "--ready-file", "an address of an earlier server") {
      String(decoding: $0, as: UTF8.self).wholeMatch(of: /http:\/\/[^\s\/]+\n/) != nil
    }
  }

  static func write(_ address: String, to path: String) throws {
    try FrameOutput.write(to: path, overwrite: true) { sink in
      try Array((address + "\n").utf8).withUnsafeBytes(sink.write)
    }
  }
}

/// A file to which a line of JSON is appended for each request.
final class RequestLogFile: Sendable {
  private let file: Mutex<FileHandle>

  /// Throws if the file has anything except the lines of an earlier server.
  static func check(_ path: String) throws {
    try OutputFile.refuseForeign(path, "--request-log", "a request log") { bytes in
      guard let line = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first,
        let entry = try? JSONParser.parse(String(decoding: line, as: UTF8.self))
      else { return false }
      return ["number", "date", "method", "path", "status"].allSatisfy { entry[$0] != nil }
    }
  }

  init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else {
      throw CommandError("cannot write '\(path.visible)': \(String(cString: strerror(errno)))")
    }
    file = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  func write(_ entry: RequestLog.Entry) {
    let line = Data((entry.json.compactText + "\n").utf8)
    // A full disk does not end the server.
    file.withLock { try? $0.write(contentsOf: line) }
  }
}
