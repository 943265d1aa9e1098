extension String {
  /// The text with control characters spelled out: what comes from files must neither drive the
  /// terminal nor break a line or a column, nor turn the direction of what stands beside it.
  var visible: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case let scalar where scalar.isControl: text += scalar.spelledOut
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The same for a text of several lines, whose line breaks stay.
  var visibleLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
      .joined(separator: "\n")
  }

  /// JSON text in which no string holds a raw control character. Between strings there are none
  /// but line breaks, which stay.
  var visibleJSON: String {
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
  /// C0 and C1 controls, separators of lines, and the marks that turn the direction of text around.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// `\u001b`; all controls have at most four digits.
  fileprivate var spelledOut: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
