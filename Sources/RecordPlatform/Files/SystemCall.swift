import Foundation

/// System calls that are repeated when a signal interrupts them.
package enum SystemCall {
  /// Repeats a call that returned -1 because of a signal.
  package static func retrying<Value: FixedWidthInteger>(_ call: () -> Value) -> Value {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Writes all bytes with as many calls as needed; waits if the descriptor is nonblocking.
  /// - Returns: 0, or the `errno` of the failed call.
  package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while let start = rest.baseAddress, rest.count > 0 {
      // Darwin rejects more than 2 GiB at once.
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

  /// Reads from an offset of a file until `bytes` is full or the file ends.
  /// - Returns: the number of bytes read, or -1 with `errno` set.
  package static func readAll(
    _ descriptor: Int32, at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    var done = 0
    while done < bytes.count {
      let length = min(bytes.count - done, 1 << 30)
      let position = off_t(clamping: offset &+ UInt64(done))
      let count = retrying { pread(descriptor, start + done, length, position) }
      if count < 0 { return -1 }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Creates a file that must not exist, readable only by its owner, and closed in child processes.
  /// - Returns: the descriptor, or -1 with `errno` set.
  package static func createExclusively(_ path: String) -> Int32 {
    retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600)) }
  }

  /// Returns sixteen random hexadecimal digits.
  package static func randomSuffix() -> String {
    HexadecimalHash.text(of: .random(in: .min ... .max))
  }

  /// Locks a file against other descriptors (`flock`), without waiting. The lock ends with the
  /// descriptor, however the process ends.
  /// - Returns: 0, or the `errno`: `EWOULDBLOCK` if another has the lock.
  package static func lock(_ descriptor: Int32) -> Int32 {
    retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0 ? 0 : errno
  }

  /// Whether a path is the open regular file, not a link to it.
  package static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    var named = stat()
    guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0 else { return false }
    return fileType(opened) == mode_t(S_IFREG) && FileIdentity(opened) == FileIdentity(named)
  }

  /// Renames a file if the new name is free. Linux has such a system call, too, but Swift does not
  /// import it; there, a hard link does the same in two steps.
  /// - Returns: 0, or the `errno`: `EEXIST` if the name is taken, others if it is not supported.
  package static func renameExclusively(_ old: String, _ new: String) -> Int32 {
    #if canImport(Darwin)
      if retrying({ renamex_np(old, new, UInt32(RENAME_EXCL)) }) == 0 { return 0 }
      if errno == EEXIST { return EEXIST }
    #endif
    guard retrying({ link(old, new) }) == 0 else { return errno }
    unlink(old)
    return 0
  }

  /// Allows this process to open `count` more descriptors, as far as possible, by raising the soft
  /// limit, which is 256 on macOS, toward the hard one.
  package static func reserveDescriptors(_ count: Int) {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    // The lowest free descriptor is assigned, so the next one is about the number of open ones.
    let next = retrying { fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) }
    if next >= 0 { close(next) }
    let wanted = rlim_t(max(next, 0) + Int32(clamping: count))
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    _ = setrlimit(resource, &limit)
  }

  /// Returns whether a path is a regular file; nil if there is nothing.
  package static func isRegularFile(_ path: String) -> Bool? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return fileType(status) == mode_t(S_IFREG)
  }

  /// Whether a path is a pipe or device, which can be read only once.
  package static func isPipe(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return ![mode_t(S_IFREG), mode_t(S_IFDIR)].contains(fileType(status))
  }

  /// Returns the file type, as one of the `S_IF…` constants.
  package static func fileType(_ status: stat) -> mode_t { status.st_mode & mode_t(S_IFMT) }
}

/// The error of a failed system call.
package struct SystemError: Error, Hashable {
  /// The system's `errno`.
  package let number: Int32
  /// The action that failed, as it follows "cannot": `create a file in its directory`.
  package let action: String

  package init(_ number: Int32, _ action: String) {
    self.number = number
    self.action = action
  }
}

extension SystemError: CustomStringConvertible, LocalizedError {
  /// The action and the reason in one line.
  package var description: String { "cannot \(action): \(String(cString: strerror(number)))" }

  /// The same as ``description``.
  package var errorDescription: String? { description }
}
