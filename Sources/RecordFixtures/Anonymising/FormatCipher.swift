import RecordCoding
import RecordModel
import RecordPlatform

/// A permutation of all texts of the same format: each letter becomes a letter of the same script
/// and case, each digit a digit, and all else stays.
///
/// Two texts never become the same one. It is a Feistel network over the letters, whose round
/// function is SipHash; a text of few letters has few others of its format, so it hides little.
struct FormatCipher: Sendable {
  private let hash: SipHash

  init(_ hash: SipHash) { self.hash = hash }

  /// How letters of the Latin alphabet replace each other.
  enum Letters {
    /// Any letter becomes any letter.
    case any
    /// Vowels become vowels, and consonants consonants, so that words can be pronounced.
    case likeWords
  }

  private struct Place {
    /// The index of the scalar in the text.
    var position: Int
    var member: ScalarClass.Member
    var radix: UInt16
    var value: UInt16
  }

  /// Returns the text that a text becomes; nil if it has letters of a script without a class.
  ///
  /// - Parameter skips: whether a scalar at an index stays as it is.
  func permute(
    _ scalars: [Unicode.Scalar], _ letters: Letters = .any, skips: (Int) -> Bool = { _ in false }
  ) -> [Unicode.Scalar]? {
    var places: [Place] = []
    places.reserveCapacity(scalars.count)
    for (position, scalar) in scalars.enumerated() where !skips(position) {
      guard let member = ScalarClass.member(scalar) else {
        guard ScalarClass.isSeparator(scalar) else { return nil }
        continue
      }
      places.append(Self.place(position, member, letters))
    }
    guard !places.isEmpty else { return scalars }
    mix(&places)
    var result = scalars
    for place in places {
      var member = place.member
      member.index = place.value
      if letters == .likeWords, member.classIndex == ScalarClass.latin {
        let list =
          LatinLetters.isVowel(place.member.index)
          ? LatinLetters.vowels : LatinLetters.consonants
        member.index = list[Int(place.value)]
      }
      result[place.position] = ScalarClass.scalar(member)
    }
    return result
  }

  /// Returns the text that a text becomes; nil if it has letters of a script without a class.
  func permute(_ text: String, _ letters: Letters = .any) -> String? {
    permute(Array(text.unicodeScalars), letters).map { String(scalars: $0) }
  }

  private static func place(
    _ position: Int, _ member: ScalarClass.Member, _ letters: Letters
  ) -> Place {
    guard letters == .likeWords, member.classIndex == ScalarClass.latin else {
      return Place(
        position: position, member: member,
        radix: ScalarClass.all[Int(member.classIndex)].count, value: member.index)
    }
    let isVowel = LatinLetters.isVowel(member.index)
    let list = isVowel ? LatinLetters.vowels : LatinLetters.consonants
    let value = list.firstIndex(of: member.index) ?? 0
    return Place(
      position: position, member: member, radix: UInt16(list.count), value: UInt16(value))
  }

  /// More rounds for short texts, which have few others of their format.
  private static func rounds(_ count: Int) -> Int { count < 16 ? 10 : 6 }

  private func mix(_ places: inout [Place]) {
    let half = places.count / 2
    let signature = formatSignature(places)
    if places.count == 1 {
      places[0].value = mixOne(places[0].value, Int(places[0].radix), signature)
      return
    }
    for round in 0..<Self.rounds(places.count) {
      let isFirst = round % 2 == 1
      let from = isFirst ? half..<places.count : 0..<half
      let to = isFirst ? 0..<half : half..<places.count
      var numbers = SeededNumbers(seed: value(of: from, in: places, UInt64(round), signature))
      for index in to {
        let radix = places[index].radix
        let shift = numbers.below(Int(radix))
        places[index].value = UInt16((Int(places[index].value) + shift) % Int(radix))
      }
    }
  }

  /// Permutes one letter: as a number of two digits, until the result is one of its class.
  private func mixOne(_ value: UInt16, _ radix: Int, _ signature: UInt64) -> UInt16 {
    var base = 1
    while base * base < radix { base += 1 }
    var (first, second) = (Int(value) / base, Int(value) % base)
    repeat {
      for round in 0..<5 as Range<UInt64> {
        first = (first + shift(second, 2 * round, signature, base)) % base
        second = (second + shift(first, 2 * round + 1, signature, base)) % base
      }
    } while first * base + second >= radix
    return UInt16(first * base + second)
  }

  private func shift(_ value: Int, _ round: UInt64, _ signature: UInt64, _ base: Int) -> Int {
    var numbers = SeededNumbers(seed: hash.hash(UInt64(value) << 8 | round, signature))
    return numbers.below(base)
  }

  private func formatSignature(_ places: [Place]) -> UInt64 {
    withUnsafeTemporaryAllocation(byteCount: 2 * places.count, alignment: 8) { bytes in
      for (index, place) in places.enumerated() {
        bytes.storeBytes(of: place.radix.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
      }
      return hash.hash(UnsafeRawBufferPointer(bytes))
    }
  }

  private func value(
    of range: Range<Int>, in places: [Place], _ round: UInt64, _ signature: UInt64
  ) -> UInt64 {
    withUnsafeTemporaryAllocation(byteCount: 16 + 2 * range.count, alignment: 8) { bytes in
      bytes.storeBytes(of: round.littleEndian, as: UInt64.self)
      bytes.storeBytes(of: signature.littleEndian, toByteOffset: 8, as: UInt64.self)
      for (offset, index) in range.enumerated() {
        bytes.storeBytes(
          of: places[index].value.littleEndian, toByteOffset: 16 + 2 * offset, as: UInt16.self)
      }
      return hash.hash(UnsafeRawBufferPointer(bytes))
    }
  }
}

extension String {
  init(scalars: [Unicode.Scalar]) {
    self.init(String.UnicodeScalarView(scalars))
  }
}

/// Replaces ASCII characters of free text by others of the same kind, without a branch for each.
struct ASCIICipher: @unchecked Sendable {
  // Unchecked: the memory never changes.
  static let shared = ASCIICipher()

  /// For each character, where those begin that can replace it, and how many there are.
  private let choices = UnsafeMutablePointer<(start: UInt16, count: UInt16)>.allocate(capacity: 128)
  private let characters: UnsafeMutablePointer<UInt8>

  private init() {
    // None of aeiouy, so that no word appears.
    let small = Array("bcdfghjklmnpqrstvwxz".utf8)
    let capital = small.map { $0 - 0x20 }
    let digits = Array(0x30...0x39 as ClosedRange<UInt8>)
    // All others stay, but the sign in addresses.
    let others = (0..<128).map { $0 == UInt8(ascii: "@") ? UInt8(ascii: "*") : $0 }
    let all = others + small + capital + digits
    characters = .allocate(capacity: all.count)
    characters.initialize(from: all, count: all.count)
    for byte in 0..<128 {
      let list: (start: Int, count: Int) =
        switch UInt8(byte) {
        case 0x61...0x7A: (others.count, small.count)
        case 0x41...0x5A: (others.count + small.count, capital.count)
        case 0x30...0x39: (others.count + small.count + capital.count, digits.count)
        default: (byte, 1)
        }
      (choices + byte).initialize(to: (UInt16(list.start), UInt16(list.count)))
    }
  }

  /// Returns what replaces a character.
  ///
  /// - Parameter random: Of which 16 bits decide.
  @inline(__always)
  func replacement(of byte: UInt8, _ random: UInt64) -> UInt8 {
    let choice = choices[Int(byte)]
    let index = ((random & 0xFFFF) &* UInt64(choice.count)) &>> 16
    return characters[Int(choice.start) &+ Int(index)]
  }

  /// Replaces four characters.
  @inline(__always)
  func replace4(_ bytes: UnsafeMutableRawPointer, _ random: UInt64) {
    var random = random
    for offset in 0..<4 {
      let byte = bytes.load(fromByteOffset: offset, as: UInt8.self)
      bytes.storeBytes(of: replacement(of: byte, random), toByteOffset: offset, as: UInt8.self)
      random &>>= 16
    }
  }
}

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
