extension JSONParser {
  /// Returns an error at the current position; by default, `found` describes the next byte.
  func error(found: String? = nil, expected: String) -> RecordCodingError {
    RecordCodingError(offset: position, found: found ?? foundHere, expected: expected)
  }

  /// A description of the next byte.
  ///
  /// Letters and digits are not shown: they may belong to the value of an encrypted field.
  private var foundHere: String {
    guard position < bytes.count else { return "the end of the text" }
    switch bytes[position] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return "a digit"
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return "a letter"
    case 0xEF where bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]):
      return "a byte order mark"
    case let byte where 0x21...0x7E ~= byte:
      return "'\(Character(Unicode.Scalar(byte)))'"
    case let byte:
      return "the byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
    }
  }

  func controlCharacter(_ byte: UInt8) -> RecordCodingError {
    error(
      found:
        "a control character (0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))) in a string",
      expected: "an escaped control character")
  }

  func loneSurrogate(at start: Int) -> RecordCodingError {
    RecordCodingError(
      offset: start, found: "the escape of a lone surrogate",
      expected: "a complete surrogate pair")
  }

  /// Returns an error at the first byte, from `start` to the current position, that is not UTF-8.
  func notUTF8(from start: Int) -> RecordCodingError {
    var decoder = UTF8.ForwardParser()
    var rest = bytes[start..<position].makeIterator()
    var valid = start
    scan: while true {
      switch decoder.parseScalar(from: &rest) {
      case .valid(let scalar): valid += scalar.count
      case .error, .emptyInput: break scan
      }
    }
    return RecordCodingError(
      offset: valid, found: "bytes that are not UTF-8", expected: "UTF-8 in a string")
  }
}
