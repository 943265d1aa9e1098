import Foundation

/// XXH64, the hash of zstd's checksums. It does not protect against deliberate collisions.
///
/// Source: the xxHash specification, version 0.1.1.
package enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Returns the hash of bytes, with seed 0.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    guard count > 0, let start = bytes.baseAddress else { return finish(prime5) }
    var position = 0
    var hash: UInt64
    if count >= 32 {
      var (a, b, c, d) = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
      // One copy of all four words: without optimization, each load of its own is a call.
      var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
      repeat {
        memcpy(&words, start + position, 32)
        a = round(a, number(words.0))
        b = round(b, number(words.1))
        c = round(c, number(words.2))
        d = round(d, number(words.3))
        position &+= 32
      } while count &- position >= 32
      hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
      hash = (hash ^ round(0, a)) &* prime1 &+ prime4
      hash = (hash ^ round(0, b)) &* prime1 &+ prime4
      hash = (hash ^ round(0, c)) &* prime1 &+ prime4
      hash = (hash ^ round(0, d)) &* prime1 &+ prime4
    } else {
      hash = prime5
    }
    hash = hash &+ UInt64(count)
    while count &- position >= 8 {
      hash = rotate(hash ^ round(0, load(start, position)), 27) &* prime1 &+ prime4
      position &+= 8
    }
    if count &- position >= 4 {
      let word = start.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      hash = rotate(hash ^ UInt64(UInt32(littleEndian: word)) &* prime1, 23) &* prime2 &+ prime3
      position &+= 4
    }
    while position < count {
      let byte = UInt64(start.load(fromByteOffset: position, as: UInt8.self))
      hash = rotate(hash ^ byte &* prime5, 11) &* prime1
      position &+= 1
    }
    return finish(hash)
  }

  // Transparent functions are inlined without optimization, too: tests hash their fixtures in debug
  // builds.

  @_transparent
  private static func load(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    number(start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// `UInt64(littleEndian:)`, which is a generic call without optimization.
  @_transparent
  private static func number(_ word: UInt64) -> UInt64 {
    #if _endian(little)
      word
    #else
      word.byteSwapped
    #endif
  }

  @_transparent
  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value &<< count | value &>> (64 &- count)
  }

  @_transparent
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @_transparent
  private static func finish(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ hash &>> 33) &* prime2
    hash = (hash ^ hash &>> 29) &* prime3
    return hash ^ hash &>> 32
  }
}

/// A 64-bit hash as 16 lowercase hexadecimal digits.
package enum HexadecimalHash {
  /// Returns the hash of such a text; nil for anything else.
  package static func hash(of text: String) -> UInt64? {
    guard let hash = UInt64(text, radix: 16), self.text(of: hash) == text else { return nil }
    return hash
  }

  package static func text(of hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
