import Foundation
import RecordPlatform

/// Copies the input of a pipe to a file, for random access.
struct PipeCopy {
  /// The default limit of bytes that are copied: 64 GiB.
  static let standardLimit: UInt64 = 64 << 30

  /// The number of bytes that are checked before any are copied: enough for the first block.
  private static let beginningSize = FileDiagnosis.beginningSize

  private let descriptor: Int32
  private let name: String
  private let limit: UInt64
  private let directory = FileManager.default.temporaryDirectory.path

  /// - Parameters:
  ///   - descriptor: read to its end; it is not closed.
  ///   - name: the name of the input in errors.
  ///   - limit: the maximum number of bytes to copy.
  init(_ descriptor: Int32, name: String, limit: UInt64) {
    self.descriptor = descriptor
    self.name = name
    self.limit = limit
  }

  /// Copies the input to an unlinked temporary file: no other process can open it, and the system
  /// removes it when the descriptor is closed, however the process ends.
  /// - Parameter anyContent: whether to copy input that does not begin as a bundle, to search it
  ///   for intact frames. Otherwise such input is rejected before any of it is copied.
  /// - Returns: the descriptor of the copy, which the caller closes.
  func copy(anyContent: Bool) throws -> Int32 {
    let size = max(256 << 10, Self.beginningSize)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    defer { buffer.deallocate() }
    // The magic number first: input with another one is rejected however slowly it comes.
    var first = UnsafeRawBufferPointer(buffer)[..<0]
    for count in [4, buffer.count] {
      first = try fill(buffer, from: first.count, to: count)
      if anyContent { continue }
      let bytes = Array(first.prefix(Self.beginningSize))
      if let error = FileDiagnosis.foreignError(beginning: bytes, name: name) { throw error }
    }
    let spool = try create()
    do {
      try copy(UnsafeRawBufferPointer(rebasing: first), buffer, to: spool)
      return spool
    } catch {
      close(spool)
      throw error
    }
  }

  private func create() throws -> Int32 {
    let path = "\(directory)/recordpack.\(SystemCall.randomSuffix()).spool"
    let spool = SystemCall.createExclusively(path)
    guard spool >= 0 else {
      throw BundleError.system(errno, in: name, "create a temporary file in \(directory)")
    }
    unlink(path)
    return spool
  }

  /// Copies the input after what was already read.
  /// - Parameter first: the bytes already read, in `buffer`.
  private func copy(
    _ first: UnsafeRawBufferPointer, _ buffer: UnsafeMutableRawBufferPointer, to spool: Int32
  ) throws {
    var total: UInt64 = 0
    var chunk = first
    while !chunk.isEmpty {
      guard UInt64(chunk.count) <= limit - total else {
        throw BundleError(
          .limitExceeded, in: name, at: total,
          "the input exceeds the limit of \(limit) bytes for a copy in \(directory); write it to a "
            + "file first")
      }
      let failure = SystemCall.writeAll(chunk, to: spool)
      if failure != 0 { throw writeError(failure, at: total) }
      total += UInt64(chunk.count)
      chunk = try read(buffer, at: total)
    }
  }

  private func writeError(_ number: Int32, at offset: UInt64) -> BundleError {
    let isFull = number == ENOSPC || number == EDQUOT
    return BundleError.system(
      number, in: name, at: offset,
      "copy it to \(directory)"
        + (isFull
          ? " (set TMPDIR to a directory with more space, or write it to a file first)" : ""))
  }

  /// Reads on from `start` until the buffer holds at least `least` bytes or the input ends.
  /// - Returns: the bytes in the buffer.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from start: Int, to least: Int
  ) throws -> Slice<UnsafeRawBufferPointer> {
    var count = start
    while count < least {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let chunk = try read(rest, at: UInt64(count))
      if chunk.isEmpty { break }
      count += chunk.count
    }
    return UnsafeRawBufferPointer(buffer)[..<count]
  }

  /// Waits for input and reads what is available; empty at the end.
  private func read(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws -> UnsafeRawBufferPointer {
    do {
      let count = try InputWait.read(descriptor, into: buffer)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch let error as SystemError {
      throw BundleError.system(error.number, in: name, at: offset, error.action)
    }
  }
}
