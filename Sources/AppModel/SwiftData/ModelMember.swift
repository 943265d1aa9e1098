import RecordSchema

/// A stored property of a class or structure, as its declaration says.
struct ModelMember: Sendable {
  /// An attribute before the declaration: a macro or a property wrapper.
  struct Macro: Sendable {
    /// The name, without its module.
    var name: String
    /// The arguments: the label, and the words and marks of the value.
    var arguments: [(label: String?, words: [String])]
  }

  var name: String
  var macros: [Macro]
  var modifiers: Set<String>
  var type: SwiftType?
  var value: SwiftValue?
  var location: SchemaLocation

  func macro(_ name: String) -> Macro? { macros.first { $0.name == name } }
}

/// Reads the stored properties in the body of a type.
///
/// Every declaration is either read, known not to be stored, or among ``problems``.
struct MemberReader {
  let file: SourceFile
  private(set) var members: [ModelMember] = []
  private(set) var problems: [(message: String, location: SchemaLocation)] = []
  /// Whether the body declares that values are unique: `#Unique`.
  private(set) var uniques: [(properties: [String], location: SchemaLocation)] = []
  private var end = 0

  private static let modifiers: Set<String> = [
    "public", "open", "internal", "package", "private", "fileprivate", "final", "override",
    "static",
    "lazy", "weak", "unowned", "nonisolated", "dynamic", "mutating", "nonmutating", "required",
    "convenience", "optional", "indirect", "isolated", "consuming", "borrowing", "distributed",
  ]
  private static let otherDeclarations: Set<String> = [
    "func", "init", "deinit", "subscript", "struct", "class", "enum", "actor", "protocol",
    "extension", "typealias", "associatedtype", "import", "case", "operator", "macro",
  ]

  init(_ file: SourceFile) { self.file = file }

  /// Reads a body.
  ///
  /// - Parameter open: The index of its opening brace.
  mutating func read(body open: Int) {
    end = min(file.matches[open], file.tokens.count)
    if end == file.tokens.count {
      problems.append(("the body of the type has no end", file.location(of: open)))
    }
    var index = open + 1
    while index < end { index = max(declaration(at: index), index + 1) }
  }

  // MARK: - Declarations

  /// Reads a declaration and returns the index after it.
  private mutating func declaration(at start: Int) -> Int {
    var index = start
    var macros: [ModelMember.Macro] = []
    var modifiers: Set<String> = []
    while index < end {
      let token = file.tokens[index]
      if token.isSymbol("@") {
        guard let found = macro(at: index) else { return unknown(at: index) }
        macros.append(found.macro)
        index = found.end
      } else if token.kind == .directive {
        return directive(at: index, isInside: index > start)
      } else if token.isSymbol(";") {
        return index + 1
      } else if token.kind == .name, isModifier(at: index) {
        modifiers.insert(token.text == "class" ? "static" : token.text)
        index += 1
        if file.isOpen(index, "("), !file.tokens[index].followsLineBreak {
          index = file.after(index)
        }
      } else if token.kind == .name, token.text == "var" || token.text == "let" {
        return bindings(at: index, macros, modifiers)
      } else if token.kind == .name, Self.otherDeclarations.contains(token.text) {
        return skipDeclaration(at: index)
      } else {
        return unknown(at: index)
      }
    }
    return end
  }

  private func isModifier(at index: Int) -> Bool {
    let word = file.tokens[index].text
    if word == "class" {
      return ["var", "let", "func", "subscript"].contains(file.name(index + 1) ?? "")
    }
    return Self.modifiers.contains(word)
  }

  /// Reads `@Name(…)`.
  private func macro(at index: Int) -> (macro: ModelMember.Macro, end: Int)? {
    guard var name = file.name(index + 1) else { return nil }
    var next = index + 2
    while file.isSymbol(next, "."), let part = file.name(next + 1) {
      name = part
      next += 2
    }
    var macro = ModelMember.Macro(name: name, arguments: [])
    next = afterArgument(at: next)
    if file.isOpen(next, "("), !file.tokens[next].followsLineBreak {
      macro.arguments = file.arguments(of: next).map { argument in
        (argument.label, argument.tokens.prefix(200).map { file.tokens[$0].text })
      }
      next = file.after(next)
    }
    return (macro, next)
  }

  /// The index after a generic argument, `<Item>`, if there is one.
  private func afterArgument(at index: Int) -> Int {
    guard file.isSymbol(index, "<"), let (_, end) = file.type(at: index + 1),
      file.isSymbol(end, ">")
    else { return index }
    return end + 1
  }

  private mutating func unknown(at index: Int) -> Int {
    problems.append(("a declaration was not read", file.location(of: index)))
    var next = file.after(index)
    while next < end, !file.tokens[next].followsLineBreak { next = file.after(next) }
    return next
  }

  /// Reads a directive, or a macro without a declaration.
  private mutating func directive(at index: Int, isInside: Bool) -> Int {
    let word = file.tokens[index].text
    var next = index + 1
    switch word {
    case "#if", "#elseif", "#else", "#endif", "#warning", "#error", "#sourceLocation":
      if isInside {
        problems.append(
          ("an attribute is followed by '\(word)' and was not read", file.location(of: index)))
      }
      while next < end, !file.tokens[next].followsLineBreak { next = file.after(next) }
    case "#Unique", "#Index":
      next = afterArgument(at: next)
      guard file.isOpen(next, "(") else { return unknown(at: index) }
      if word == "#Unique" {
        // Each argument is a list of key paths.
        for part in file.parts(of: next) {
          let names = part.filter { file.isSymbol($0, ".") }.compactMap { file.name($0 + 1) }
          uniques.append((names, file.location(of: index)))
        }
      }
      next = file.after(next)
    default:
      problems.append(
        ("the macro '\(word)' is not known, and may declare properties", file.location(of: index)))
      while next < end, !file.tokens[next].followsLineBreak { next = file.after(next) }
    }
    return next
  }

  /// Whether a declaration begins at an index.
  private func begins(at index: Int) -> Bool {
    let token = file.tokens[index]
    if token.kind == .directive { return token.followsLineBreak }
    if token.isSymbol("@") { return true }
    guard token.kind == .name, !file.isSymbol(index - 1, ".") else { return false }
    return token.text == "var" || token.text == "let" || Self.modifiers.contains(token.text)
      || Self.otherDeclarations.contains(token.text)
  }

  /// Skips a declaration that has no stored property.
  private mutating func skipDeclaration(at index: Int) -> Int {
    let word = file.tokens[index].text
    let hasBody = !["typealias", "associatedtype", "import", "case", "operator", "macro"].contains(
      word)
    var next = index + 1
    while next < end {
      let token = file.tokens[next]
      if hasBody, token.isOpen("{") { return file.after(next) }
      if token.followsLineBreak, begins(at: next) {
        if hasBody {
          problems.append(("the declaration of '\(word)' has no body", file.location(of: index)))
        }
        return next
      }
      next = file.after(next)
    }
    return end
  }

  // MARK: - Properties

  /// Reads what follows `var` or `let`.
  private mutating func bindings(
    at keyword: Int, _ macros: [ModelMember.Macro], _ modifiers: Set<String>
  ) -> Int {
    var index = keyword + 1
    // Those that share the type of a later one, as in `var a, b: Int`.
    var untyped: [Int] = []
    while index < end {
      guard let name = file.name(index),
        !Self.otherDeclarations.contains(name) || file.tokens[index].isEscaped
      else {
        problems.append(
          (
            "a '\(file.tokens[keyword].text)' that is not a single name was not read",
            file.location(of: keyword)
          ))
        return endOfValue(from: index)
      }
      var member = ModelMember(
        name: name, macros: macros, modifiers: modifiers,
        location: file.location(of: index))
      var next = index + 1
      if file.isSymbol(next, ":") {
        guard let (type, end) = file.type(at: next + 1) else {
          problems.append(("the type of '\(name)' was not read", member.location))
          return endOfValue(from: next + 1)
        }
        member.type = type
        next = end
      }
      if next < end, file.isSymbol(next, "=") {
        let valueEnd = endOfValue(from: next + 1)
        member.value = file.value(in: (next + 1)..<max(valueEnd, next + 1))
        next = valueEnd
      }
      var isComputed = false
      if next < end, file.isOpen(next, "{") {
        isComputed = !isObserver(next)
        next = file.after(next)
      }
      if !isComputed {
        if let type = member.type {
          for position in untyped { members[position].type = type }
          untyped = []
        } else if member.value == nil {
          untyped.append(members.count)
        }
        members.append(member)
      }
      guard next < end, file.isSymbol(next, ",") else {
        if next < end, !file.tokens[next].followsLineBreak, !file.isSymbol(next, ";") {
          problems.append(("the declaration of '\(name)' was not read to its end", member.location))
          while next < end, !file.tokens[next].followsLineBreak { next = file.after(next) }
        }
        return next
      }
      index = next + 1
    }
    return end
  }

  /// The index after the initial value that begins at an index.
  private func endOfValue(from start: Int) -> Int {
    var index = start
    while index < end {
      let token = file.tokens[index]
      if token.closes || token.isSymbol(";") { return index }
      if index > start {
        if token.followsLineBreak, begins(at: index) { return index }
        if token.isSymbol(","), isBinding(at: index + 1) { return index }
        if token.isOpen("{"), isObserver(index) { return index }
      }
      index = file.after(index)
    }
    return end
  }

  /// Whether a further variable of the declaration begins at an index.
  private func isBinding(at index: Int) -> Bool {
    guard file.name(index) != nil, let next = file[index + 1] else { return false }
    return next.isSymbol(":") || next.isSymbol("=") || next.isSymbol(",") || next.followsLineBreak
  }

  /// Whether a block has observers of a stored property.
  private func isObserver(_ open: Int) -> Bool {
    var index = open + 1
    while file.isSymbol(index, "@"), file.name(index + 1) != nil { index += 2 }
    return file.isName(index, "didSet") || file.isName(index, "willSet")
  }
}
