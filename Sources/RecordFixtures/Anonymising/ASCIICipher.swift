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
