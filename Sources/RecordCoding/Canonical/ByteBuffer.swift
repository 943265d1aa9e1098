/// A raw output buffer that is filled, handed on and filled again: no allocation once it has grown.
///
/// There are always ``slack`` readable and writable bytes after the content, so that copies may
/// run past its end in whole words.
package final class ByteBuffer {
  /// How many bytes after the content may be read and written.
  package static let slack = 64

  // A buffer is filled byte by byte: asking the runtime for exclusive access each time would cost
  // more than the writing. It belongs to one thread, and none of its methods calls back.
  @exclusivity(unchecked) @usableFromInline package private(set) var base: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline package private(set) var capacity: Int
  /// The number of bytes in the buffer.
  @exclusivity(unchecked) package var count = 0

  package init(capacity: Int = 4096) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity + Self.slack, alignment: 16)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: capacity + Self.slack)
  }

  deinit { base.deallocate() }

  /// Forgets the content and keeps the memory.
  package func reset() { count = 0 }

  /// Makes room for `extra` more bytes.
  @inlinable
  package func reserve(_ extra: Int) {
    if extra > capacity &- count { grow(extra) }
  }

  @usableFromInline @inline(never)
  package func grow(_ extra: Int) {
    let needed = max(capacity * 2, count + extra)
    let bigger = UnsafeMutableRawPointer.allocate(byteCount: needed + Self.slack, alignment: 16)
    bigger.copyMemory(from: base, byteCount: count)
    (bigger + count).initializeMemory(
      as: UInt8.self, repeating: 0, count: needed + Self.slack - count)
    base.deallocate()
    base = bigger
    capacity = needed
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
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// The content; valid until the buffer is written to.
  @inlinable
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }
}
