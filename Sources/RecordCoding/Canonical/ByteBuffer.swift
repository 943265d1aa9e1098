/// A raw output buffer that is filled, handed on and filled again: no allocation once it has grown.
///
/// There are always ``slack`` readable and writable bytes after the content, so that copies may
/// run past its end in whole words.
///
/// A buffer belongs to one thread at a time. It is handed from thread to thread under a lock,
/// which is why it is marked `Sendable`.
package final class ByteBuffer: @unchecked Sendable {
  /// How many bytes after the content may be read and written.
  package static let slack = 64

  // A buffer is filled byte by byte: asking the runtime for exclusive access each time would cost
  // more than the writing. It belongs to one thread, and none of its methods calls back.
  @exclusivity(unchecked) @usableFromInline package private(set) var base: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline package private(set) var capacity: Int
  /// The number of bytes in the buffer.
  @exclusivity(unchecked) package var count = 0

  package init(capacity: Int = 0) {
    self.capacity = capacity
    base = Self.allocate(capacity)
  }

  deinit { base.deallocate() }

  /// Forgets the content, and keeps the memory up to `limit` bytes: a single huge line does not
  /// stay in memory for good.
  package func reset(keeping limit: Int = .max) {
    count = 0
    guard capacity > limit else { return }
    base.deallocate()
    capacity = limit
    base = Self.allocate(limit)
  }

  /// Forgets everything after the first `length` bytes.
  package func truncate(to length: Int) {
    count = max(0, min(count, length))
  }

  /// Says how many bytes are in use, after they were written through ``base``.
  package func setCount(_ length: Int) {
    count = max(0, min(length, capacity))
  }

  /// Sets the slack after the content to zero, for readers that look at it.
  package func padWithZeros() {
    (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.slack)
  }

  /// Appends what `body` writes into the room it is given, and returns the length of.
  package func appendUnsafely(
    limit: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Int
  ) rethrows {
    reserve(limit)
    let written = try body(UnsafeMutableRawBufferPointer(start: base + count, count: limit))
    count += max(0, min(written, limit))
  }

  /// Makes room for `extra` more bytes.
  @inlinable
  package func reserve(_ extra: Int) {
    if extra > capacity &- count { grow(extra) }
  }

  @usableFromInline @inline(never)
  package func grow(_ extra: Int) {
    // In whole steps, so that frames of about the same size all fit after the first.
    let wanted = max(count + extra, capacity + capacity / 2)
    let step = wanted > 1 << 18 ? 1 << 18 : 1 << 12
    let needed = (wanted + step - 1) / step * step
    let bigger = Self.allocate(needed)
    bigger.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = bigger
    capacity = needed
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: capacity + slack, alignment: 64)
  }

  @inlinable
  package func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  @inlinable
  package func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (base + count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  @inlinable
  package func append(_ literal: StaticString) {
    append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  @inlinable
  package func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  package func append(_ text: String) {
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0))
    }
    guard isWritten == nil else { return }
    append(Array(text.utf8))
  }

  /// The content; valid until the buffer is written to.
  @inlinable
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }
}
