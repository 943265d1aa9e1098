extension String {
  /// The text with control characters escaped: text from a file must not control the terminal,
  /// break a line or column, or change the direction of other text.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl {
        text += scalar.escaped()
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text with control characters escaped, except line breaks.
  package var visibleLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
      .joined(separator: "\n")
  }

  /// JSON text with the control characters in strings escaped. Outside strings, it may contain only
  /// line breaks.
  package var visibleJSON: String {
    guard utf8.contains(where: { $0 >= 0x7F }),
      unicodeScalars.contains(where: { $0.value >= 0x7F && $0.isControl })
    else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.value >= 0x7F, scalar.isControl {
        text += scalar.spelledOut
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a C0 or C1 control, a line separator or a bidirectional control.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The scalar within quotation marks: controls, backslashes and quotation marks are escaped.
  ///
  /// - Parameter isASCII: whether everything else that is not ASCII is escaped, too.
  func escaped(asASCII isASCII: Bool = false) -> String {
    switch self {
    case "\\", "\"": "\\\(self)"
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: isControl || isASCII && !self.isASCII ? spelledOut : String(self)
    }
  }

  /// The scalar as `\u001b`; all controls fit into four digits.
  fileprivate var spelledOut: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
