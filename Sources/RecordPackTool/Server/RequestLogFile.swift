import CloudWebServices
import Foundation
import RecordCoding
import RecordText
import Synchronization

/// A file to which a line of JSON is appended for each request.
final class RequestLogFile: Sendable {
  private let file: Mutex<FileHandle>

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
