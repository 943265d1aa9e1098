import Foundation

/// A growing block of raw bytes that is used again and again.
///
/// After the end of the content there are always ``slack`` bytes that may be read (and that
/// writers of short pieces may scribble on), so that scanners can load whole words or vectors
/// without looking at the end first.
///
/// A buffer belongs to one thread at a time. It is handed from thread to thread under a lock,
/// which is why it is marked `Sendable`.
final class FrameBuffer: @unchecked Sendable {
  /// Bytes that may be read and scribbled on past the content's end.
  static let slack = 64

  /// The first byte. Changes whenever the buffer grows.
  private(set) var base: UnsafeMutableRawPointer
  /// How many bytes fit before the buffer must grow; the slack comes on top.
  private(set) var capacity: Int
  /// How many bytes are in use. Only ever set to at most ``capacity``.
  private(set) var count = 0

  /// Makes an empty buffer.
  /// - Parameter capacity: bytes that fit before it grows.
  init(capacity: Int = 0) {
    self.capacity = max(capacity, 0)
    base = Self.allocate(self.capacity)
  }

  deinit { base.deallocate() }

  /// The content, valid until the buffer is next written to.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Makes room for `extra` more bytes after the content.
  @inline(__always)
  func reserve(_ extra: Int) {
    if capacity - count < extra { grow(extra) }
  }

  /// Appends bytes.
  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    (base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends one byte.
  @inline(__always)
  func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends what `body` writes into the room it is given.
  /// - Parameters:
  ///   - limit: the room's size; `body` may write on into the slack.
  ///   - body: writes, and returns how many bytes now belong to the content (0 … `limit`).
  func appendUnsafely(
    limit: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Int
  ) rethrows {
    reserve(limit)
    let written = try body(UnsafeMutableRawBufferPointer(start: base + count, count: limit))
    count += max(0, min(written, limit))
  }

  /// Says how many bytes are in use, after they were written through ``base``.
  /// - Parameter length: at most ``capacity``.
  func setCount(_ length: Int) {
    count = max(0, min(length, capacity))
  }

  /// Forgets everything after the first `length` bytes.
  func truncate(to length: Int) {
    count = max(0, min(count, length))
  }

  /// Empties the buffer for its next use. One that has grown past `keeping` bytes is given back,
  /// so that a single huge line does not stay in memory for good.
  func reset(keeping limit: Int = .max) {
    count = 0
    guard capacity > limit else { return }
    base.deallocate()
    capacity = limit
    base = Self.allocate(limit)
  }

  /// Sets the slack after the content to zero, for readers that look at it.
  func padWithZeros() {
    (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.slack)
  }

  @inline(never)
  private func grow(_ extra: Int) {
    let needed = count + extra
    let larger = max(needed, capacity + capacity / 2, 4096)
    let fresh = Self.allocate(larger)
    fresh.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = fresh
    capacity = larger
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: capacity + slack, alignment: 64)
  }
}
