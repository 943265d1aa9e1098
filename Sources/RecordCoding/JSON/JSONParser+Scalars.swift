extension JSONParser {
  /// Reads a number as its text.
  mutating func number() throws -> String {
    let start = position
    if byte == UInt8(ascii: "-") { position &+= 1 }
    if byte == UInt8(ascii: "0") {
      position &+= 1
      guard !isDigit else {
        throw error(found: "a leading zero", expected: "a number without leading zeros")
      }
    } else {
      try digits()
    }
    if byte == UInt8(ascii: ".") {
      position &+= 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position &+= 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position &+= 1 }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var isDigit: Bool {
    guard let byte else { return false }
    return UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private mutating func digits() throws {
    guard isDigit else { throw error(expected: "a digit") }
    while isDigit { position &+= 1 }
  }

  /// Reads a string; the current position must be at its opening quotation mark.
  mutating func string() throws -> String {
    position &+= 1
    let start = position
    /// The start of the text after the last escape.
    var rest = start
    unescaped.removeAll(keepingCapacity: true)
    skipPlainText()
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        let text: String?
        if rest == start {
          let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
          text = String(validating: slice, as: UTF8.self)
        } else {
          unescaped.append(contentsOf: bytes[rest..<position])
          text = String(validating: unescaped, as: UTF8.self)
        }
        guard let text else { throw notUTF8(from: start) }
        position &+= 1
        return text
      case UInt8(ascii: "\\"):
        unescaped.append(contentsOf: bytes[rest..<position])
        try escape()
        rest = position
      case 0x20...:
        position &+= 1
        skipPlainText()
      default: throw controlCharacter(byte)
      }
    }
    throw error(expected: "the closing quotation mark of a string")
  }

  /// Skips bytes, eight at a time, up to one that ends a string, starts an escape, or is a control
  /// character. It may stop before.
  private mutating func skipPlainText() {
    while position &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let mask = escapeMask(UInt64(littleEndian: word))
      guard mask == 0 else { return position &+= mask.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
  }

  private mutating func escape() throws {
    let start = position
    position &+= 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      unescaped.append(bytes[position])
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): return try unicodeEscape(from: start)
    default: throw error(expected: "one of \" \\ / b f n r t u after a backslash")
    }
    position &+= 1
  }

  private mutating func unicodeEscape(from start: Int) throws {
    position &+= 1
    let first = try hexDigits()
    var scalar = first
    if 0xD800...0xDBFF ~= first {
      guard position &+ 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position &+ 1] == UInt8(ascii: "u")
      else { throw loneSurrogate(at: start) }
      position &+= 2
      let second = try hexDigits()
      guard 0xDC00...0xDFFF ~= second else { throw loneSurrogate(at: start) }
      scalar = 0x10000 &+ (first &- 0xD800) << 10 &+ (second &- 0xDC00)
    }
    guard let scalar = Unicode.Scalar(scalar) else { throw loneSurrogate(at: start) }
    unescaped.append(contentsOf: String(scalar).utf8)
  }

  private mutating func hexDigits() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      switch byte {
      case .some(let byte) where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte:
        value = value << 4 | UInt32(byte &- 0x30)
      case .some(let byte) where UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte:
        value = value << 4 | UInt32(byte &- 0x37)
      case .some(let byte) where UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte:
        value = value << 4 | UInt32(byte &- 0x57)
      default: throw error(expected: "four hexadecimal digits after \\u")
      }
      position &+= 1
    }
    return value
  }
}

// MARK: - Errors

extension JSONParser {
  /// Returns an error at the current position; by default, `found` describes the next byte.
  func error(
    _ code: RecordCodingError.Code = .malformed, found: String? = nil, expected: String
  ) -> RecordCodingError {
    RecordCodingError(code, offset: position, found: found ?? foundHere, expected: expected)
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
      .malformed, offset: start, found: "the escape of a lone surrogate",
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
      .malformed, offset: valid, found: "bytes that are not UTF-8", expected: "UTF-8 in a string")
  }
}
