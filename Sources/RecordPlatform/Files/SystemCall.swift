import Foundation

/// Calls to the operating system, each repeated when a signal interrupts it.
package enum SystemCall {
  /// Repeats a call that returned -1 because a signal came.
  package static func retrying<Value: FixedWidthInteger>(_ call: () -> Value) -> Value {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Writes all bytes, however many calls that takes; waits where the descriptor does not block.
  /// - Returns: 0, or the `errno` of the call that failed.
  package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
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
  package static func readAll(
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
  package struct ReadFailure: Error {
    /// The operating system's number.
    package let number: Int32
  }

  /// Creates a file that did not exist, readable by its owner only, closed in child processes.
  /// - Returns: the descriptor, or -1 with `errno` set.
  package static func createExclusively(_ path: String) -> Int32 {
    retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600)) }
  }

  /// Sixteen hexadecimal digits that no other process picks at the same time.
  package static func randomSuffix() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Locks a file against other openings of it (`flock`), without waiting. The lock ends with the
  /// descriptor, however the process ends.
  /// - Returns: 0, or the `errno`: `EWOULDBLOCK` where another has it.
  package static func lock(_ descriptor: Int32) -> Int32 {
    retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0 ? 0 : errno
  }

  /// Whether a path leads to the plain file that is open.
  package static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    var named = stat()
    guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0 else { return false }
    return fileType(opened) == mode_t(S_IFREG) && FileIdentity(opened) == FileIdentity(named)
  }

  /// Gives a file another name where that is free. Linux has such a rename too, which Swift does
  /// not see; there a hard link does the same in two steps.
  /// - Returns: 0, or the `errno`: `EEXIST` where the name is taken, others where the file system
  ///   cannot do it.
  package static func renameExclusively(_ old: String, _ new: String) -> Int32 {
    #if canImport(Darwin)
      if retrying({ renamex_np(old, new, UInt32(RENAME_EXCL)) }) == 0 { return 0 }
      if errno == EEXIST { return EEXIST }
    #endif
    guard retrying({ link(old, new) }) == 0 else { return errno }
    unlink(old)
    return 0
  }

  /// Lets this process have `count` more descriptors open than it has, as far as the system allows:
  /// raises the soft limit, which is 256 on macOS, towards the hard one.
  package static func reserveDescriptors(_ count: Int) {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    // Descriptors are given out from the lowest on: the next one tells how many there are.
    let next = retrying { fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) }
    if next >= 0 { close(next) }
    let wanted = rlim_t(max(next, 0) + Int32(clamping: count))
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    _ = setrlimit(resource, &limit)
  }

  /// What sort of thing a descriptor or path stands for.
  package static func fileType(_ status: stat) -> mode_t { status.st_mode & mode_t(S_IFMT) }
}
