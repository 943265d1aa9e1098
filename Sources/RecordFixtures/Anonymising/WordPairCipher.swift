import RecordPlatform

/// A permutation of 128 bits, of which some stay: a Feistel network of six rounds over two words.
final class WordPairCipher: Sendable {
  private typealias Function = SipHash.Function

  private let mask: (UInt64, UInt64)
  private let rounds: (Function, Function, Function, Function, Function, Function)

  /// - Parameter mask: The bits that change.
  init(_ hash: SipHash, mask: (UInt64, UInt64)) {
    self.mask = mask
    rounds = (
      hash.function(0), hash.function(1), hash.function(2), hash.function(3), hash.function(4),
      hash.function(5)
    )
  }

  /// Returns what replaces two words.
  func permute(_ first: UInt64, _ second: UInt64) -> (UInt64, UInt64) {
    var (first, second) = (first, second)
    first ^= rounds.0(second) & mask.0
    second ^= rounds.1(first) & mask.1
    first ^= rounds.2(second) & mask.0
    second ^= rounds.3(first) & mask.1
    first ^= rounds.4(second) & mask.0
    second ^= rounds.5(first) & mask.1
    return (first, second)
  }
}
