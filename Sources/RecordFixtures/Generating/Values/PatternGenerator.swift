import RecordCoding
import RecordPlatform

/// Text in which signs stand for random characters.
final class PatternGenerator: FieldGenerator {
  enum Part {
    case literal([UInt8])
    case digit, upper, lower, hexadecimal
    /// The number of the record among all of its type, from 1.
    case number
  }

  private let parts: [Part]

  init(_ pattern: String) { parts = Self.parts(of: pattern) }

  /// Whether a pattern has the number of the record, so that each text is another one.
  static func isUnique(_ pattern: String) -> Bool {
    parts(of: pattern).contains { if case .number = $0 { true } else { false } }
  }

  static func parts(of pattern: String) -> [Part] {
    var parts: [Part] = []
    var literal = ""
    var isEscaped = false
    func flush() {
      guard !literal.isEmpty else { return }
      let buffer = ByteBuffer(capacity: 64)
      buffer.appendJSONString(literal)
      parts.append(.literal(Array(buffer.bytes.dropFirst().dropLast())))
      literal = ""
    }
    for scalar in pattern.unicodeScalars {
      let part: Part? =
        switch scalar {
        case _ where isEscaped: nil
        case "#": .digit
        case "@": .upper
        case "?": .lower
        case "*": .hexadecimal
        case "%": .number
        default: nil
        }
      if let part {
        flush()
        parts.append(part)
      } else if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      } else {
        literal.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    flush()
    return parts
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(UInt8(ascii: "\""))
    for part in parts {
      switch part {
      case .literal(let bytes): buffer.append(bytes)
      case .digit: buffer.append(UInt8(ascii: "0") + UInt8(context.random.below(10)))
      case .upper: buffer.append(UInt8(ascii: "A") + UInt8(context.random.below(26)))
      case .lower: buffer.append(UInt8(ascii: "a") + UInt8(context.random.below(26)))
      case .hexadecimal: buffer.appendHexDigit(context.random.next())
      case .number: buffer.appendInteger(Int64(context.number + 1))
      }
    }
    buffer.append(UInt8(ascii: "\""))
    return true
  }
}

extension ByteBuffer {
  /// Appends the hexadecimal digit of the lowest four bits.
  func appendHexDigit(_ word: UInt64) {
    let digit = UInt8(truncatingIfNeeded: word & 15)
    append(digit < 10 ? 0x30 + digit : 0x57 + digit)
  }
}
