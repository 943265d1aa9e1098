/// SipHash-2-4: a 64-bit pseudorandom function with a 128-bit key.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
package struct SipHash: Sendable {
  private let low: UInt64
  private let high: UInt64

  /// Creates a hash with a key, as two words in little-endian order.
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  fileprivate struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    @inline(__always)
    mutating func round() {
      v0 &+= v1
      v2 &+= v3
      v1 = v1 << 13 | v1 >> 51
      v3 = v3 << 16 | v3 >> 48
      v1 ^= v0
      v3 ^= v2
      v0 = v0 << 32 | v0 >> 32
      v2 &+= v1
      v0 &+= v3
      v1 = v1 << 17 | v1 >> 47
      v3 = v3 << 21 | v3 >> 43
      v1 ^= v2
      v3 ^= v0
      v2 = v2 << 32 | v2 >> 32
    }

    @inline(__always)
    mutating func add(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> UInt64 {
      v2 ^= 0xff
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }
  }

  @inline(__always)
  private func start() -> State {
    State(
      v0: low ^ 0x736f_6d65_7073_6575, v1: high ^ 0x646f_7261_6e64_6f6d,
      v2: low ^ 0x6c79_6765_6e65_7261, v3: high ^ 0x7465_6462_7974_6573)
  }

  /// Returns the hash of bytes.
  package func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = start()
    let whole = bytes.count & ~7
    var offset = 0
    while offset < whole {
      state.add(
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    while offset < bytes.count {
      last |= UInt64(bytes[offset]) << UInt64(8 * (offset & 7))
      offset += 1
    }
    state.add(last)
    return state.finish()
  }

  /// Returns the hash of the UTF-8 bytes of a text.
  package func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }

  /// Returns the hash of two words, as that of their 16 bytes in little-endian order.
  package func hash(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var state = start()
    state.add(first)
    state.add(second)
    state.add(16 << 56)
    return state.finish()
  }

  /// Returns a function of one word.
  ///
  /// - Parameter prefix: The word before it; with each, the function is another one.
  package func function(_ prefix: UInt64) -> Function {
    var state = start()
    state.add(prefix)
    return Function(state: state)
  }

  /// A pseudorandom function of one word: SipHash-2-4 of the words before it and of it, without the
  /// block with their length, which is always the same.
  package struct Function: Sendable {
    fileprivate let state: State

    /// Returns the value for a word.
    @inline(__always)
    package func callAsFunction(_ word: UInt64) -> UInt64 {
      var state = state
      state.add(word)
      return state.finish()
    }
  }
}
