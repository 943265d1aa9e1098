/// The parts of Swift's grammar that the scanner reads.
extension SourceFile {
  /// An argument of a call or a parameter of a function.
  struct Argument {
    var label: String?
    var tokens: Range<Int>
  }

  /// The parts of a list in brackets, split at its commas.
  func parts(of open: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = open + 1
    let end = min(matches[open], tokens.count)
    var index = start
    while index < end, parts.count < Self.maxLookahead {
      if tokens[index].isSymbol(",") {
        parts.append(start..<index)
        start = index + 1
      }
      index = min(after(index), end)
    }
    if start < end { parts.append(start..<end) }
    return parts
  }

  func arguments(of open: Int) -> [Argument] {
    parts(of: open).map { part in
      guard part.count > 1, let label = name(part.lowerBound), isSymbol(part.lowerBound + 1, ":")
      else { return Argument(label: nil, tokens: part) }
      return Argument(label: label, tokens: (part.lowerBound + 2)..<part.upperBound)
    }
  }

  /// The parameters of a function: the name in its body, and the type.
  func parameters(of open: Int) -> [(name: String, type: Range<Int>)] {
    var parameters: [(name: String, type: Range<Int>)] = []
    for part in parts(of: open) {
      let colon = first(from: part.lowerBound, to: part.upperBound) { isSymbol($0, ":") }
      guard let colon else {
        // A comma between generic arguments, as in `Result<CKRecord, Error>`.
        if let last = parameters.last {
          parameters[parameters.count - 1].type = last.type.lowerBound..<part.upperBound
        }
        continue
      }
      guard let name = name(colon - 1) else { continue }
      let end = first(from: colon + 1, to: part.upperBound) { isSymbol($0, "=") }
      parameters.append((name, (colon + 1)..<(end ?? part.upperBound)))
    }
    return parameters
  }

  /// A declaration of a type or an extension.
  struct TypeDeclaration {
    var path: [String]
    var isEnum: Bool
    var inherited: Set<String>
    var body: Int
  }

  private static let typeKeywords: Set<String> = [
    "struct", "class", "enum", "actor", "extension", "protocol",
  ]

  /// Keywords that no header of a type contains.
  private static let declarationKeywords: Set<String> = [
    "struct", "enum", "actor", "extension", "let", "var", "func", "import", "return",
  ]

  func typeDeclaration(at index: Int) -> TypeDeclaration? {
    guard let keyword = name(index), Self.typeKeywords.contains(keyword),
      !isSymbol(index - 1, "."), var path = name(index + 1).map({ [$0] }),
      !["func", "var", "let", "subscript", "override", "final"].contains(path[0])
    else { return nil }
    var next = index + 2
    while isSymbol(next, "."), let part = name(next + 1) {
      path.append(part)
      next += 2
    }
    guard
      let body = first(
        from: next, where: { isOpen($0, "{") || Self.declarationKeywords.contains(name($0) ?? "") }),
      isOpen(body, "{")
    else { return nil }
    let inherited = tokens[next..<body].filter { $0.kind == .name }.map(\.text)
    return TypeDeclaration(
      path: path, isEnum: keyword == "enum", inherited: Set(inherited), body: body)
  }

  /// A variable with one name: its type and where its initial value or its body begins.
  struct Variable {
    var name: String
    var nameIndex: Int
    var isConstant: Bool
    var type: Range<Int>?
    var value: Int?
    var body: Int?
    /// The index after the name and the type.
    var end: Int
  }

  /// Reads the variable of `let` or `var` at an index. `nil` for patterns.
  func variable(at index: Int) -> Variable? {
    guard let name = name(index + 1) else { return nil }
    var result = Variable(
      name: name, nameIndex: index + 1, isConstant: isName(index, "let"), end: index + 2)
    if isSymbol(index + 2, ":") {
      result.end = endOfType(from: index + 3)
      result.type = (index + 3)..<result.end
    }
    if isSymbol(result.end, "=") {
      result.value = result.end + 1
    } else if isOpen(result.end, "{") {
      result.body = result.end
    }
    return result
  }

  /// The index after a type: names with points, brackets, generic arguments, marks, arrows.
  func endOfType(from start: Int) -> Int {
    var index = start
    var depth = 0
    var isExpected = true
    var steps = 0
    while let token = self[index], steps < Self.maxLookahead {
      steps += 1
      if depth > 0, !token.closes, !token.isOpen("{") {
        if token.isSymbol("<") { depth += 1 }
        if token.kind == .symbol, token.text.allSatisfy({ $0 == ">" }) { depth -= token.text.count }
        index = after(index)
        isExpected = false
        continue
      }
      switch token.kind {
      case .name where Self.typePrefixes.contains(token.text): index += 1
      case .name where isExpected:
        index += 1
        isExpected = false
      case .open where isExpected && token.text != "{":
        index = after(index)
        isExpected = false
      case .symbol where token.text == "." || token.text == "->" || token.text == "&":
        index += 1
        isExpected = true
      case .symbol where token.text == "@" && isExpected:
        index += 2
      case .symbol where token.text == "<" && !isExpected:
        depth += 1
        index += 1
      case .symbol
      where !isExpected && (token.text == "?" || token.text == "!" || token.text == "??"):
        index += 1
      default: return index
      }
    }
    return index
  }

  static let typePrefixes: Set<String> = [
    "inout", "some", "any", "borrowing", "consuming", "sending", "isolated", "__owned", "throws",
    "async", "nonisolated",
  ]
}
