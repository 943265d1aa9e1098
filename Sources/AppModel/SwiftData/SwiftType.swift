/// A type as Swift source code writes it.
indirect enum SwiftType: Sendable, Hashable {
  /// A name with its enclosing types, and generic arguments: `V2.Item`, `Set<Int>`.
  case named([String], [SwiftType])
  case optional(SwiftType)
  case array(SwiftType)
  case dictionary(SwiftType, SwiftType)
  /// A tuple, a function, or a composition of protocols, none of which is stored.
  case other

  /// How deep types may be inside each other.
  static let maxDepth = 32
}

extension SourceFile {
  /// Reads the type at an index.
  ///
  /// - Returns: The type and the index after it; nil if no type is there.
  func type(at start: Int, depth: Int = 0) -> (type: SwiftType, end: Int)? {
    guard depth < SwiftType.maxDepth else { return nil }
    var index = start
    while true {
      if isSymbol(index, "@"), name(index + 1) != nil {
        index += 2
      } else if let word = name(index), Self.typePrefixes.contains(word), self[index + 1] != nil {
        index += 1
      } else {
        break
      }
    }
    guard var (result, end) = plainType(at: index, depth) else { return nil }
    while let token = self[end], token.kind == .symbol {
      switch token.text {
      case "?", "!": result = .optional(result)
      case "??": result = .optional(.optional(result))
      case "->", "&":
        guard let rest = type(at: end + 1, depth: depth + 1) else { return nil }
        (result, end) = (.other, rest.end - 1)
      default: return (result, end)
      }
      end += 1
    }
    return (result, end)
  }

  private func plainType(at index: Int, _ depth: Int) -> (SwiftType, Int)? {
    if isOpen(index, "[") {
      guard let first = type(at: index + 1, depth: depth + 1) else { return nil }
      if matches[index] == first.end { return (.array(first.type), first.end + 1) }
      guard isSymbol(first.end, ":"), let second = type(at: first.end + 1, depth: depth + 1),
        matches[index] == second.end
      else { return nil }
      return (.dictionary(first.type, second.type), second.end + 1)
    }
    if isOpen(index, "(") {
      let close = matches[index]
      guard close < tokens.count else { return nil }
      if let inner = type(at: index + 1, depth: depth + 1), inner.end == close {
        return (inner.type, close + 1)
      }
      return (.other, close + 1)
    }
    guard let first = name(index), !Self.statementWords.contains(first) else { return nil }
    var path = [first]
    var arguments: [SwiftType] = []
    var end = index + 1
    while true {
      if isSymbol(end, "<") {
        guard let list = genericArguments(at: end, depth) else { return nil }
        (arguments, end) = list
      }
      guard isSymbol(end, "."), let part = name(end + 1), part != "self" else { break }
      path.append(part)
      end += 2
    }
    return (.named(path, arguments), end)
  }

  private func genericArguments(at open: Int, _ depth: Int) -> ([SwiftType], Int)? {
    var arguments: [SwiftType] = []
    var index = open + 1
    while let argument = type(at: index, depth: depth + 1) {
      arguments.append(argument.type)
      if isSymbol(argument.end, ">") { return (arguments, argument.end + 1) }
      guard isSymbol(argument.end, ","), arguments.count < Self.maxLookahead else { return nil }
      index = argument.end + 1
    }
    return nil
  }

  /// Words that no type begins with.
  private static let statementWords: Set<String> = [
    "var", "let", "func", "class", "struct", "enum", "init", "deinit", "extension", "protocol",
    "import", "case", "static", "return", "if", "guard", "for", "while", "switch", "typealias",
    "public", "private", "internal", "fileprivate", "package", "final", "override", "subscript",
  ]
}

/// The type that a property's initial value shows.
enum SwiftValue: Sendable, Hashable {
  case integer, floating, string, boolean
  /// A list or dictionary of literals.
  case collection
  /// `Date()`, `[Item]()`
  case call(SwiftType)
  /// `Date.now`, `Status.active`
  case member([String])
  /// `UUID().uuidString`
  case memberOfCall(SwiftType, String)
  case other
}

extension SourceFile {
  /// Reads the initial value in a range of tokens.
  func value(in range: Range<Int>) -> SwiftValue {
    var range = range
    // `URL(string: "…")!`
    while range.count > 1, isSymbol(range.upperBound - 1, "!") {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    while range.count > 1, isSymbol(range.lowerBound, "-") || isSymbol(range.lowerBound, "+") {
      range = (range.lowerBound + 1)..<range.upperBound
    }
    guard let first = self[range.lowerBound], !range.isEmpty else { return .other }
    switch first.kind {
    case .number: return number(in: range)
    case .string:
      var end = range.lowerBound + 1
      while end < range.upperBound, tokens[end].kind == .openInterpolation { end = after(end) }
      return end >= range.upperBound || isSymbol(end, "+") ? .string : .other
    case .name where range.count == 1 && (first.text == "true" || first.text == "false"):
      return .boolean
    case .open where first.text == "[" && after(range.lowerBound) == range.upperBound:
      return literal(after: range.lowerBound)
    default: return typedValue(in: range)
    }
  }

  private func number(in range: Range<Int>) -> SwiftValue {
    var isFloating = false
    for index in range {
      switch tokens[index].kind {
      case .number:
        let text = text(of: index)
        let isHexadecimal = text.hasPrefix("0x")
        isFloating =
          isFloating || text.contains(".")
          || text.contains { isHexadecimal ? "pP".contains($0) : "eE".contains($0) }
      case .symbol where ["+", "-", "*", "/", "%"].contains(tokens[index].text): break
      default: return .other
      }
    }
    return isFloating ? .floating : .integer
  }

  /// A list or dictionary whose first element is a literal.
  private func literal(after open: Int) -> SwiftValue {
    guard let first = self[open + 1] else { return .other }
    let isLiteral =
      first.kind == .number || first.kind == .string || first.text == "true"
      || first.text == "false" || first.isSymbol("-")
    return isLiteral && !first.closes ? .collection : .other
  }

  private func typedValue(in range: Range<Int>) -> SwiftValue {
    guard let (type, end) = type(at: range.lowerBound), end <= range.upperBound else {
      return .other
    }
    if end == range.upperBound {
      if case .named(let path, let arguments) = type, arguments.isEmpty, path.count > 1 {
        return .member(path)
      }
      return .other
    }
    guard isOpen(end, "(") else { return .other }
    if case .named(let path, _) = type, path.last?.first?.isUppercase != true { return .other }
    let close = after(end)
    if close == range.upperBound { return .call(type) }
    if isSymbol(close, "."), let member = name(close + 1), close + 2 == range.upperBound {
      return .memberOfCall(type, member)
    }
    return .other
  }
}
