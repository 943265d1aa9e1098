extension SwiftLexer {
  mutating func readEscapedName() {
    let start = position
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "`"), !Self.isNewline(bytes[end]) {
      end += 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "`") else {
      position += 1
      return add(.symbol, from: start, "`")
    }
    position = end + 1
    add(.name, from: start, String(decoding: bytes[(start + 1)..<end], as: UTF8.self))
  }

  /// Reads a number. A point belongs to it only before a digit: `1.description` is a call.
  mutating func readNumber() {
    let start = position
    while position < bytes.count {
      if Self.isWord(bytes[position]) {
        let isExponent = [0x65, 0x45, 0x70, 0x50].contains(bytes[position])
        position += 1
        if isExponent, byte() == UInt8(ascii: "-") || byte() == UInt8(ascii: "+"),
          (0x30...0x39).contains(byte(1)),
          !isHexadecimal(start) || bytes[position - 1] | 0x20 == 0x70
        {
          position += 1
        }
      } else if bytes[position] == UInt8(ascii: "."), (0x30...0x39).contains(byte(1)) {
        position += 1
      } else {
        break
      }
    }
    add(.number, from: start, "")
  }

  private func isHexadecimal(_ start: Int) -> Bool {
    bytes[start] == 0x30 && start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "x")
  }
}
