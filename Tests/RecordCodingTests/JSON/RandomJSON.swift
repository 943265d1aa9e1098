import RecordModel

@testable import RecordCoding

/// Random JSON of every kind.
enum RandomJSON {
  static func value(depth: Int, using random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2, 3: return .number(text: number(using: &random))
    case 4: return .string(string(using: &random))
    case 5:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          value(depth: depth - 1, using: &random)
        })
    default:
      return .object(
        (0..<Int.random(in: 0...4, using: &random)).map {
          .init("\($0)\(string(using: &random))", value(depth: depth - 1, using: &random))
        })
    }
  }

  static func string(using random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let highest: UInt32 =
        [0x7F, 0x7F, 0x7FF, 0xFFFF, 0x10FFFF].randomElement(using: &random) ?? 0
      text.unicodeScalars.append(
        Unicode.Scalar(UInt32.random(in: 0...highest, using: &random)) ?? "\"")
    }
    return text
  }

  static func number(using random: inout SeededGenerator) -> String {
    var text = Bool.random(using: &random) ? "-" : ""
    text +=
      "\(UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random))"
    if Bool.random(using: &random) { text += ".\(Int.random(in: 0...99999, using: &random))" }
    if Bool.random(using: &random) {
      text += ["e", "E", "e+", "E-"].randomElement(using: &random) ?? "e"
      text += "\(Int.random(in: 0...400, using: &random))"
    }
    return text
  }
}
