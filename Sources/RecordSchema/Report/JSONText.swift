/// A JSON value that preserves the order of members, for reports that are also read by people.
indirect enum JSONText: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  case string(String)
  case integer(Int)
  case array([JSONText])
  /// An object. Members that are `nil` are omitted.
  case object([(String, JSONText?)])

  init(stringLiteral text: String) { self = .string(text) }
  init(arrayLiteral elements: JSONText...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONText?)...) { self = .object(members) }

  static func optional(_ text: String?) -> JSONText? { text.map { .string($0) } }

  /// The JSON text with two spaces of indentation and a trailing newline.
  var rendered: String {
    var output = ""
    write(to: &output, indent: 0)
    return output + "\n"
  }

  private func write(to output: inout String, indent: Int) {
    switch self {
    case .string(let text): Self.write(text, to: &output)
    case .integer(let number): output += String(number)
    case .array(let elements):
      Self.writeList(elements, "[", "]", to: &output, indent: indent) { element, output in
        element.write(to: &output, indent: indent + 1)
      }
    case .object(let members):
      let present = members.compactMap { name, value in value.map { (name, $0) } }
      Self.writeList(present, "{", "}", to: &output, indent: indent) { member, output in
        Self.write(member.0, to: &output)
        output += ": "
        member.1.write(to: &output, indent: indent + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to output: inout String, indent: Int,
    _ write: (Element, inout String) -> Void
  ) {
    output += open
    for (index, element) in elements.enumerated() {
      output += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
      write(element, &output)
    }
    if !elements.isEmpty { output += "\n" + String(repeating: "  ", count: indent) }
    output += close
  }

  private static func write(_ text: String, to output: inout String) {
    let escaped = text.replacingScalars { scalar in
      switch scalar {
      case "\"": return "\\\""
      case "\\": return "\\\\"
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      default:
        guard scalar.isControlling else { return nil }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    output += "\"" + escaped + "\""
  }
}
