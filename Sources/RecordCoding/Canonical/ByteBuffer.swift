import RecordModel

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

  /// These are not properties: dynamic exclusivity checks for each byte would cost more than writing
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

// MARK: - JSON

/// Returns a mask of the bytes that JSON must escape: quotes, backslashes and control characters.
///
/// The lowest set bit belongs to the first such byte; higher bits can be wrong.
@_transparent
func escapeMask(_ word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let highs: UInt64 = 0x8080_8080_8080_8080
  let quotes = word ^ (ones &* 0x22)
  let slashes = word ^ (ones &* 0x5C)
  let control = (word &- ones &* 0x20) & ~word
  let quote = (quotes &- ones) & ~quotes
  let slash = (slashes &- ones) & ~slashes
  return (control | quote | slash) & highs
}

extension ByteBuffer {
  /// Appends a quoted string, escaping only what JSON requires.
  package func appendJSONString(_ text: String) {
    // Borrows the string's storage; a copy to call `withUTF8` on would be retained.
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable {
      appendJSONString(utf8: UnsafeRawBufferPointer($0))
    }
    guard isWritten == nil else { return }
    // Only strings bridged from Objective-C lack contiguous storage.
    Array(text.utf8).withUnsafeBytes { appendJSONString(utf8: $0) }
  }

  /// Appends valid UTF-8 as a quoted JSON string.
  package func appendJSONString(utf8: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var rest = utf8
    while true {
      let clean = appendClean(rest)
      if clean == rest.count { break }
      appendEscape(rest[clean])
      rest = UnsafeRawBufferPointer(rebasing: rest[(clean + 1)...])
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends the bytes before the first one that must be escaped, and returns their number.
  private func appendClean(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let source = bytes.baseAddress else { return 0 }
    let length = bytes.count
    reserve(length)
    let target = base + count
    var position = 0
    while position &+ 8 <= length {
      let word = source.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
      let mask = escapeMask(UInt64(littleEndian: word))
      if mask != 0 {
        position &+= mask.trailingZeroBitCount &>> 3
        count &+= position
        return position
      }
      position &+= 8
    }
    while position < length {
      let byte = source.load(fromByteOffset: position, as: UInt8.self)
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
      target.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
      position &+= 1
    }
    count &+= position
    return position
  }

  private func appendEscape(_ byte: UInt8) {
    if byte >= 0x20 {
      append(UInt8(ascii: "\\"))
      append(byte)
    } else {
      append(controlEscape(byte))
    }
  }

  /// Appends an integer in decimal.
  package func appendInteger(_ value: Int64) {
    reserve(24)
    if value < 0 {
      base.storeBytes(of: 0x2D, toByteOffset: count, as: UInt8.self)
      count &+= 1
    }
    let magnitude = value.magnitude
    guard magnitude >= 100_000_000 else { return appendFirstDigits(UInt32(magnitude)) }
    let (rest, low) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
    if rest < 100_000_000 {
      appendFirstDigits(UInt32(rest))
    } else {
      let (first, middle) = rest.quotientAndRemainder(dividingBy: 100_000_000)
      appendFirstDigits(UInt32(first))
      appendEightDigits(UInt32(middle))
    }
    appendEightDigits(UInt32(low))
  }

  /// Appends a number below 10^8 without leading zeros. Eight bytes must be reserved.
  @inline(__always)
  private func appendFirstDigits(_ value: UInt32) {
    let digits = Self.eightDigits(value)
    // The last digit is kept even if it is zero.
    let zeros = min(7, digits.trailingZeroBitCount &>> 3)
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(zeros &* 8)
    base.storeBytes(of: text.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= 8 &- zeros
  }

  @inline(__always)
  private func appendEightDigits(_ value: UInt32) {
    let text = Self.eightDigits(value) | 0x3030_3030_3030_3030
    base.storeBytes(of: text.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= 8
  }

  /// Returns the eight digits of a number below 10^8, the first in the lowest byte.
  ///
  /// Splits the number into halves, quarters and digits, in all parts of the word at once.
  @inline(__always)
  private static func eightDigits(_ value: UInt32) -> UInt64 {
    let halves = UInt64(value / 10_000) | UInt64(value % 10_000) &<< 32
    let hundreds = ((halves &* 10_486) &>> 20) & 0x0000_007F_0000_007F
    let quarters = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = ((quarters &* 103) &>> 10) & 0x000F_000F_000F_000F
    return tens | (quarters &- tens &* 10) &<< 8
  }
}
