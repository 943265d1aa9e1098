import Foundation
import RecordPlatform

/// A destination that is written in place: standard output, a pipe or a device.
///
/// If the reader of a pipe has closed it, ``write(_:)`` throws `EPIPE`, provided that the process
/// ignores `SIGPIPE`; otherwise the signal ends the process, as is usual for command-line tools.
final class DescriptorSink: FrameSink, @unchecked Sendable {
  let name: String
  private var descriptor: Int32
  private let closesAtEnd: Bool
  private var written: UInt64 = 0

  /// Writes to an open descriptor, which is not closed.
  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    closesAtEnd = false
  }

  /// Opens a pipe or a device for writing.
  init(openingPath path: String) throws {
    name = path
    closesAtEnd = true
    descriptor = SystemCall.retrying { open(path, O_WRONLY | O_CLOEXEC) }
    if descriptor < 0 { throw FrameError.system(errno, in: path, "open it for writing") }
  }

  deinit {
    if closesAtEnd, descriptor >= 0 { close(descriptor) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let failure = SystemCall.writeAll(bytes, to: descriptor)
    guard failure == 0 else {
      throw FrameError.system(failure, in: name, at: written, "write \(bytes.count) bytes")
    }
    written += UInt64(bytes.count)
  }

  /// Does nothing: what is written cannot be made more final.
  func commit() throws {}

  /// Does nothing: what is written cannot be taken back.
  func discard() {}
}
