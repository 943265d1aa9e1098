import RecordCoding
import RecordMigration
import RecordSchema

/// Text in which signs stand for random characters.
struct PatternText: GeneratedValues {
  let pattern: String
  private let parts: [Part]

  private enum Part {
    case literal([UInt8])
    case digit, upper, lower, hexadecimal
    /// The number of the record among all of its type, from 1.
    case number
  }

  init(_ pattern: String) {
    self.pattern = pattern
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
    self.parts = parts
  }

  static let noun = "text"
  static let sources = [
    ValueSource("pattern") { node, _ in
      let pattern = try node.word("pattern")
      guard pattern.utf8.count <= 1000 else { throw node.error("a pattern has up to 1000 bytes") }
      return PatternText(pattern)
    }
  ]

  var members: [(name: String, text: String)] { [("pattern", PlanText.string(pattern))] }
  var roughSize: Int { 2 * pattern.utf8.count }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .string }

  /// Only the number of the record makes each text another one.
  func distinctValues(of type: CloudSchema.FieldType) -> Int? {
    parts.contains { if case .number = $0 { true } else { false } } ? .max : nil
  }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    ValueGenerator { context, buffer in
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

  func isLike(_ text: String) -> Bool {
    text.utf8.count <= pattern.utf8.count + 4 && Double(text) != nil
  }
}
