import Foundation
import RecordModel
import RecordPlatform

/// Everything that depends on the key: the names that replace names, and the seeds of made-up values.
///
/// All of it is HMAC-SHA-256 under keys of its own for each purpose. A pseudonym depends on the name
/// alone, so parts of a container that are anonymised apart fit together.
struct Pseudonyms: Sendable {
  /// The kind of thing that a name is for. Each kind has names that CloudKit gives, which mean the same in every
  /// container and stay.
  enum Kind: Sendable {
    case record, user, zone, owner, other

    fileprivate var reserved: [String] {
      switch self {
      case .record: [Share.zoneWideRecordName, ZoneID.currentUserOwnerName]
      case .user, .owner: [ZoneID.currentUserOwnerName]
      case .zone: [ZoneID.defaultZoneName, CoreDataNames.zoneName]
      case .other: []
      }
    }
  }

  /// The pseudonym of a record, and the seed of its made-up values.
  struct Place {
    var name: CompactName
    var seed: UInt64
    /// The number of the name among the shapes of references.
    var node: UInt64
    /// Whether the policy keeps the name.
    var isKept: Bool
    /// Whether the name stays, as the policy or CloudKit says.
    var stays: Bool
  }

  private let names: HMACSHA256
  private let tags: HMACSHA256
  private let values: HMACSHA256
  /// The names that stay, beside those that CloudKit gives.
  private let kept: [NamePattern]
  /// The bits of a name's digits that are used: all, except in tests of collisions.
  var mask: UInt64 = .max

  init(_ key: AnonymisationKey, keeping kept: [NamePattern] = []) {
    names = key.hash(for: "names")
    tags = key.hash(for: "tags")
    values = key.hash(for: "values")
    self.kept = kept
  }

  // MARK: Names

  /// Returns the pseudonym of a name; the name itself if it is kept.
  ///
  /// A user, `_` and 32 hexadecimal digits, becomes another user; all else is a UUID, whatever it was.
  func name(_ name: String, _ kind: Kind) -> String { place(CompactName(name), kind).name.string }

  func place(_ name: CompactName, _ kind: Kind) -> Place {
    let words = name.withUTF8 { names.authenticate($0) }.words
    let isKept = !kept.isEmpty && keepsByPolicy(name.string)
    let stays = isKept || isReserved(name, kind)
    return Place(
      name: stays ? name : pseudonym(of: name, words[0] & mask, words[1] & mask),
      seed: words[2], node: words[3], isKept: isKept, stays: stays)
  }

  private func pseudonym(of name: CompactName, _ high: UInt64, _ low: UInt64) -> CompactName {
    if case .user = name { return .user(high, low) }
    // The version and the variant of random UUIDs (RFC 9562).
    return .upperUUID(
      high & ~0xF000 | 0x4000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// Whether CloudKit gives a name.
  private func isReserved(_ name: CompactName, _ kind: Kind) -> Bool {
    if case .text(let text) = name { kind.reserved.contains(text.string) } else { false }
  }

  /// Whether the policy keeps a name.
  private func keepsByPolicy(_ name: String) -> Bool { kept.contains { $0.matches(name) } }

  /// Returns the change tag that replaces the tag of a record or deletion.
  ///
  /// - Parameter zone: The seed of the zone, so that records with one name and tag in two zones do not show it.
  func changeTag(_ tag: String, of recordID: RecordID, zone: UInt64) -> String {
    var text = "\(tag)\0\(zone)"
    let words = text.withUTF8 { tag in
      recordID.withUTF8RecordName { tags.authenticate($0, UnsafeRawBufferPointer(tag)) }
    }.words
    // Numbers in base 36, as change tags are; tokens of JavaScript can hold them.
    return String(words[0] >> 12, radix: 36)
  }

  // MARK: Numbers

  /// Returns a number by a secret function that keeps the order of numbers, and roughly their sizes.
  ///
  /// A factor, the same for all numbers, would be their common divisor.
  ///
  /// - Parameter name: Each name has another function.
  func ordered(_ number: Double, _ name: String) -> Double {
    guard number.isNormal else { return number }
    let exponent = Int(number.exponent)
    let place = place(of: number.significandBitPattern, number.sign, exponent, name)
    let octave = Octave(for: exponent, upTo: 1023)
    let bits = octave.half.map { $0 << 63 | place >> 1 } ?? place
    return Double(
      sign: number.sign, exponentBitPattern: UInt(octave.exponent + 1023),
      significandBitPattern: bits >> 12)
  }

  /// Returns a whole number by such a function. Numbers below 2^60 stay different.
  func ordered(_ number: Int64, _ name: String) -> Int64 {
    let magnitude = number.magnitude
    guard magnitude > 0 else { return 0 }
    let zeros = magnitude.leadingZeroBitCount
    let place = place(
      of: (magnitude << UInt64(zeros + 1)) >> 12, number < 0 ? .minus : .plus, 63 - zeros, name)
    let octave = Octave(for: 63 - zeros, upTo: 62)
    let width: UInt64 = 1 << UInt64(octave.half == nil ? octave.exponent : octave.exponent - 1)
    let start = 1 << UInt64(octave.exponent) + (octave.half ?? 0) * width
    let (count, rest) = (1 << UInt64(63 - zeros) as UInt64, magnitude - 1 << UInt64(63 - zeros))
    // Each number has one of the octave's numbers for itself, if enough others are left to hide its place.
    let ordered =
      width / 2 >= count
      ? start + rest + place.multipliedFullWidth(by: width - count).high
      : start + place.multipliedFullWidth(by: width).high
    return Int64(truncatingIfNeeded: number < 0 ? 0 &- ordered : ordered)
  }

  /// The numbers from one power of two to the next, or a half of them.
  private struct Octave {
    let exponent: Int
    /// 0 for the lower half, 1 for the upper half; nil for all.
    let half: UInt64?

    /// Creates the octave of what replaces the numbers of an octave: ten powers of two above it. The last twenty
    /// octaves have one half each of the last ten.
    ///
    /// - Parameter top: The exponent of the greatest number.
    init(for exponent: Int, upTo top: Int) {
      let place = exponent - (top - 19)
      self.exponent = place < 0 ? exponent + 10 : top - 9 + place / 2
      half = place < 0 ? nil : UInt64(place % 2)
    }
  }

  /// Returns a place among 2^64 for the place of a number in its octave.
  ///
  /// The bits of the number choose a part of the places: each bit divides the rest at a place that depends on the key
  /// and the bits before it.
  ///
  /// - Parameter bits: The 52 bits of the number behind the first one.
  private func place(
    of bits: UInt64, _ sign: FloatingPointSign, _ exponent: Int, _ name: String
  ) -> UInt64 {
    var (low, width) = (0 as UInt64, UInt64.max)
    for shift in stride(from: 48, through: 0, by: -4) where bits & (16 << UInt64(shift) - 1) != 0 {
      let before = bits >> UInt64(shift + 4)
      var random = SeededNumbers(
        seed: seed("order", of: "\(name)\0\(sign)\0\(exponent)\0\(shift)\0\(before)"))
      let cuts = (0..<16).map { _ in 0.4 + 0.2 * random.fraction() }
      var place = 1
      for bit in [3, 2, 1, 0] {
        let isHigh = bits >> UInt64(shift + bit) & 1 == 1
        let cut = UInt64(Double(width) * cuts[place])
        if isHigh { low += cut }
        width = isHigh ? width - cut : cut
        place = 2 * place + (isHigh ? 1 : 0)
      }
    }
    return low
  }

  // MARK: Seeds

  /// Returns the seed of what replaces a value wherever it occurs.
  ///
  /// - Parameter purpose: The kind of the value, so that equal values of different kinds have
  ///   nothing in common.
  func seed(_ purpose: StaticString, of value: UnsafeRawBufferPointer) -> UInt64 {
    purpose.withUTF8Buffer { values.authenticate(UnsafeRawBufferPointer($0), value) }.words[0]
  }

  func seed(_ purpose: StaticString, of value: String) -> UInt64 {
    var value = value
    return value.withUTF8 { seed(purpose, of: UnsafeRawBufferPointer($0)) }
  }
}
