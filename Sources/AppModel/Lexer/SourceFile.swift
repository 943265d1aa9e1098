import RecordSchema

/// A file of Swift source code, split into tokens with matched brackets.
struct SourceFile: Sendable {
  /// How far the scanner looks for the end of a type, a condition or a list of arguments, in
  /// tokens, so that malformed code takes linear time.
  static let maxLookahead = 300

  let name: String
  let tokens: [SwiftToken]
  let comments: [SwiftLexer.Comment]
  /// For each bracket the index of the other one. An unclosed bracket ends with the file, and
  /// other tokens have their own index.
  let matches: [Int]
  private let bytes: [UInt8]
  private let lineStarts: [Int]
  /// The number of Unicode scalars before each ``stride`` bytes, so that a column in a long line
  /// takes constant time.
  private let scalarCounts: [Int]
  private static let stride = 256
  /// Whether the file imports a module of RecordPack.
  let importsRecordPack: Bool
  /// Whether the file is a part of tests: it imports `XCTest` or `Testing`.
  let isOfTests: Bool

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    let read = SwiftLexer.read(bytes)
    tokens = read.tokens
    comments = read.comments
    matches = Self.matches(of: read.tokens)
    lineStarts = Self.lineStarts(of: bytes)
    scalarCounts = Self.scalarCounts(of: bytes)
    let modules: Set<String> = [
      "RecordPack", "RecordModel", "RecordPackTesting", "RecordPackCloudKit", "TypedRecords",
      "CloudInterface", "MockCloud", "RecordStore",
    ]
    func imports(_ modules: Set<String>) -> Bool {
      zip(read.tokens, read.tokens.dropFirst()).contains {
        $0.isName("import") && modules.contains($1.text)
      }
    }
    importsRecordPack = imports(modules)
    isOfTests = imports(["XCTest", "Testing"])
  }

  private static func matches(of tokens: [SwiftToken]) -> [Int] {
    var result = Array(tokens.indices)
    var open: [Int] = []
    let pairs = ["(": ")", "[": "]", "{": "}"]
    for (index, token) in tokens.enumerated() {
      if token.opens {
        result[index] = tokens.count
        open.append(index)
      } else if token.closes, let last = open.last,
        token.kind == .closeInterpolation
          ? tokens[last].kind == .openInterpolation
          : tokens[last].kind == .open && pairs[tokens[last].text] == token.text
      {
        open.removeLast()
        result[last] = index
        result[index] = last
      }
    }
    return result
  }

  // MARK: - Places

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      let isPair = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
      if SwiftLexer.isNewline(byte), !isPair { starts.append(index + 1) }
    }
    return starts
  }

  /// The line of a byte, from 1.
  func line(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  func location(offset: Int, length: Int) -> SchemaLocation {
    let line = line(of: offset)
    let column = scalars(before: offset) - scalars(before: lineStarts[line - 1]) + 1
    return SchemaLocation(
      file: name,
      span: SourceSpan(offset: offset, length: length, line: line, column: column))
  }

  private static func scalarCounts(of bytes: [UInt8]) -> [Int] {
    var counts: [Int] = []
    var count = 0
    for (index, byte) in bytes.enumerated() {
      if index % stride == 0 { counts.append(count) }
      if byte & 0xC0 != 0x80 { count += 1 }
    }
    return counts + [count]
  }

  private func scalars(before offset: Int) -> Int {
    let part = offset / Self.stride
    return scalarCounts[part] + bytes[(part * Self.stride)..<offset].count { $0 & 0xC0 != 0x80 }
  }

  func location(of token: Int) -> SchemaLocation {
    location(offset: tokens[token].offset, length: tokens[token].length)
  }

  /// The text of a comment, with its delimiters.
  func text(of comment: SwiftLexer.Comment) -> String {
    String(decoding: bytes[comment.offset..<(comment.offset + comment.length)], as: UTF8.self)
  }

  /// The text of a token as it is written.
  func text(of token: Int) -> String {
    let token = tokens[token]
    return String(decoding: bytes[token.offset..<(token.offset + token.length)], as: UTF8.self)
  }

  /// Whether only white space precedes a byte in its line.
  func beginsLine(_ offset: Int) -> Bool {
    bytes[lineStarts[line(of: offset) - 1]..<offset].allSatisfy { $0 <= 0x20 }
  }

  // MARK: - Tokens

  /// The token at an index, or `nil` after the end.
  subscript(index: Int) -> SwiftToken? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  func isName(_ index: Int, _ name: String) -> Bool { self[index]?.isName(name) ?? false }
  func isSymbol(_ index: Int, _ symbol: String) -> Bool { self[index]?.isSymbol(symbol) ?? false }
  func isOpen(_ index: Int, _ bracket: String) -> Bool { self[index]?.isOpen(bracket) ?? false }

  /// The name at an index.
  func name(_ index: Int) -> String? { self[index].flatMap { $0.kind == .name ? $0.text : nil } }

  /// The index after a token, or after the bracket that closes it.
  func after(_ index: Int) -> Int {
    tokens[index].opens ? min(matches[index], tokens.count - 1) + 1 : index + 1
  }

  /// Returns the first index for which a condition holds, outside of brackets that begin after
  /// `start`. Stops at a closing bracket and after ``maxLookahead`` steps.
  func first(from start: Int, to end: Int? = nil, where condition: (Int) -> Bool) -> Int? {
    var index = start
    var steps = 0
    let end = min(end ?? tokens.count, tokens.count)
    while index < end, steps < Self.maxLookahead {
      if condition(index) { return index }
      if tokens[index].closes { return nil }
      index = after(index)
      steps += 1
    }
    return nil
  }
}

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
