import Foundation

/// The few calls to the operating system that this layer needs, each repeated when a signal
/// interrupts it.
enum SystemCall {
  /// Repeats a call that returned -1 because a signal came.
  static func retrying<Value: FixedWidthInteger>(_ call: () -> Value) -> Value {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Writes all bytes, however many calls that takes; waits where the descriptor does not block.
  /// - Returns: 0, or the `errno` of the call that failed.
  static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while let start = rest.baseAddress, rest.count > 0 {
      // Darwin refuses more than 2 GiB at once.
      let length = min(rest.count, 1 << 30)
      let written = retrying { write(descriptor, start, length) }
      if written > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      } else if written == 0 {
        return EIO
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if retrying({ poll(&waiting, 1, -1) }) < 0 { return errno }
      } else {
        return errno
      }
    }
    return 0
  }

  /// Reads into all of `bytes` from a place in a file, until they are full or the file ends.
  /// - Returns: the number of bytes read, or the `errno` of the call that failed.
  static func readAll(
    _ descriptor: Int32, at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer
  ) -> Result<Int, ReadFailure> {
    guard let start = bytes.baseAddress else { return .success(0) }
    var done = 0
    while done < bytes.count {
      let length = min(bytes.count - done, 1 << 30)
      let place = off_t(clamping: offset &+ UInt64(done))
      let count = retrying { pread(descriptor, start + done, length, place) }
      if count < 0 { return .failure(ReadFailure(number: errno)) }
      if count == 0 { break }
      done += count
    }
    return .success(done)
  }

  /// The `errno` of a read that failed.
  struct ReadFailure: Error {
    /// The operating system's number.
    let number: Int32
  }

  /// Creates a file that did not exist, readable by its owner only, closed in child processes.
  /// - Returns: the descriptor, or -1 with `errno` set.
  static func createExclusively(_ path: String) -> Int32 {
    retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600)) }
  }

  /// Sixteen hexadecimal digits that no other process picks at the same time.
  static func randomSuffix() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What sort of thing a descriptor or path stands for.
  static func fileType(_ status: stat) -> mode_t { status.st_mode & mode_t(S_IFMT) }
}
