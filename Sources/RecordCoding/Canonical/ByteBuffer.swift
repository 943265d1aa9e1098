/// A growable output buffer that is reused without allocating again.
///
/// ``slack`` bytes after the content can always be read and written, so that copies may run past
/// its end in whole words.
///
/// `Sendable` is unchecked: one thread uses a buffer at a time, and passes it to another under a
/// lock.
package final class ByteBuffer: @unchecked Sendable {
  /// The number of bytes after the content that may be read and written.
  package static let slack = 64

  /// What would be properties: dynamic exclusivity checks for each byte would cost more than writing
  /// it, and code that is inlined into other modules has them even where they are turned off. One
  /// thread uses a buffer at a time, and no method calls back.
  @usableFromInline
  struct State {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
  }

  @usableFromInline let state: UnsafeMutablePointer<State>

  package init(capacity: Int = 0) {
    state = .allocate(capacity: 1)
    state.initialize(to: State(base: Self.allocate(capacity), capacity: capacity))
  }

  deinit {
    base.deallocate()
    state.deallocate()
  }

  @inlinable package var base: UnsafeMutableRawPointer { state.pointee.base }
  @inlinable package var capacity: Int { state.pointee.capacity }

  /// The number of bytes in the buffer.
  @inlinable
  package var count: Int {
    get { state.pointee.count }
    set { state.pointee.count = newValue }
  }

  /// Removes the content.
  ///
  /// - Parameter limit: the capacity to keep, in bytes, so that a single huge line does not occupy
  ///   memory permanently.
  package func reset(keeping limit: Int = .max) {
    count = 0
    guard capacity > limit else { return }
    replace(Self.allocate(limit), capacity: limit)
  }

  /// Sets the number of bytes in use, after writing through ``base``.
  package func setCount(_ length: Int) {
    count = max(0, min(length, capacity))
  }

  /// Sets the slack after the content to zero, for readers that read past the end.
  package func padWithZeros() {
    (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.slack)
  }

  /// Reserves capacity for `extra` more bytes.
  @inlinable
  package func reserve(_ extra: Int) {
    if extra > capacity &- count { grow(extra) }
  }

  @usableFromInline @inline(never)
  package func grow(_ extra: Int) {
    // Grows in large steps, so that frames of similar size fit after the first.
    let wanted = max(count + extra, capacity + capacity / 2)
    let step = wanted > 1 << 18 ? 1 << 18 : 1 << 12
    let needed = (wanted + step - 1) / step * step
    let bigger = Self.allocate(needed)
    bigger.copyMemory(from: base, byteCount: count)
    replace(bigger, capacity: needed)
  }

  private func replace(_ memory: UnsafeMutableRawPointer, capacity: Int) {
    base.deallocate()
    state.pointee.base = memory
    state.pointee.capacity = capacity
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
    Self.copy(source, bytes.count, to: base + count)
    count &+= bytes.count
  }

  /// Copies bytes. Most parts of a line are short, and a call of `memcpy` costs more than they do:
  /// they are copied as two words, or vectors, that may overlap.
  @inlinable @inline(__always)
  package static func copy(
    _ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer
  ) {
    @inline(__always) func twoWords<T: BitwiseCopyable>(_ type: T.Type, _ size: Int) {
      let first = source.loadUnaligned(as: type)
      let last = source.loadUnaligned(fromByteOffset: count &- size, as: type)
      target.storeBytes(of: first, as: type)
      target.storeBytes(of: last, toByteOffset: count &- size, as: type)
    }
    if count > 64 {
      target.copyMemory(from: source, byteCount: count)
    } else if count >= 32 {
      twoWords(SIMD4<UInt64>.self, 32)
    } else if count >= 16 {
      twoWords(SIMD2<UInt64>.self, 16)
    } else if count >= 8 {
      twoWords(UInt64.self, 8)
    } else if count >= 4 {
      twoWords(UInt32.self, 4)
    } else {
      for offset in 0..<count {
        target.storeBytes(
          of: source.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset,
          as: UInt8.self)
      }
    }
  }

  @inlinable
  package func append(_ literal: StaticString) {
    append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  @inlinable
  package func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  // With a label, because a literal would be a `String` before it is a `StaticString`.
  package func append(text: String) {
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0))
    }
    guard isWritten == nil else { return }
    append(Array(text.utf8))
  }

  /// The content; valid until the buffer is modified.
  @inlinable
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }
}
