import Foundation
import RecordPlatform

/// Keeps what a pipe yields in a file, so that it can be read at any place.
enum InputSpool {
  /// Copies everything to a temporary file that has no name any more: no one else can open it,
  /// and it is gone with its descriptor, however the process ends.
  /// - Parameters:
  ///   - descriptor: read to its end.
  ///   - name: what errors call it.
  /// - Returns: the descriptor of the copy, which the caller closes.
  static func copy(of descriptor: Int32, name: String) throws -> Int32 {
    let directory = FileManager.default.temporaryDirectory.path
    let path = "\(directory)/recordpack.\(SystemCall.randomSuffix()).spool"
    let spool = SystemCall.createExclusively(path)
    guard spool >= 0 else {
      throw FrameError.system(errno, in: name, "create a temporary file in \(directory)")
    }
    unlink(path)
    do {
      try copy(descriptor, to: spool, name, directory)
      return spool
    } catch {
      close(spool)
      throw error
    }
  }

  private static func copy(
    _ descriptor: Int32, to spool: Int32, _ name: String, _ directory: String
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    var total: UInt64 = 0
    while true {
      let count = SystemCall.retrying { read(descriptor, buffer.baseAddress, buffer.count) }
      if count == 0 { return }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = SystemCall.retrying { poll(&waiting, 1, -1) }
        continue
      }
      if count < 0 { throw FrameError.system(errno, in: name, at: total, "read it") }
      let failure = SystemCall.writeAll(
        UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: spool)
      if failure != 0 {
        throw FrameError.system(failure, in: name, at: total, "keep a copy of it in \(directory)")
      }
      total += UInt64(count)
    }
  }
}
