/// The names that a set of files declares: types, constants, properties and functions.
struct SourceIndex: Sendable {
  /// A constant string, or a case of an enum with strings as raw values.
  struct Constant: Hashable, Sendable {
    /// The names of the enclosing types, outermost first.
    var path: [String]
    var value: String
    var isCase: Bool
  }

  /// The names of all declared types.
  var types: Set<String> = []
  /// The constants by their own name.
  var constants: [String: [Constant]] = [:]
  /// Names that are also declared as something else than a constant string, with their types.
  var otherNames: Set<[String]> = []
  /// The properties of types that are told, by type and name.
  var properties: [String: [String: ExpressionType]] = [:]
  /// The types that functions return, by their names.
  var functions: [String: ExpressionType] = [:]
  /// The types of keys for which a record has a subscript of the app's own.
  var keyTypes: Set<String> = []
  /// The keys of types with `CodingKeys`, by type: name of the property, key, and wrapper.
  var codingKeys: [String: [String: String]] = [:]
  /// Whether types of the app have initializers with the label `recordType`, also those that structures
  /// get by a stored property.
  var hasOwnRecordTypes = false
  /// The property wrappers of properties, by type and name.
  var wrappers: [String: [String: String]] = [:]

  init(_ files: [SourceFile]) {
    for file in files {
      for index in file.tokens.indices {
        guard let type = file.typeDeclaration(at: index), !file.isName(index, "extension") else {
          continue
        }
        types.insert(type.path[0])
      }
    }
    for file in files { add(file) }
  }

  /// How many enclosing types are part of a constant's path.
  static let maxDepth = 16

  private enum Place {
    case type(SourceFile.TypeDeclaration, end: Int)
    case body(end: Int)

    var end: Int {
      switch self {
      case .type(_, let end), .body(let end): end
      }
    }
  }

  private mutating func add(_ file: SourceFile) {
    var places: [Place] = []
    var bodies: [Int: SourceFile.TypeDeclaration] = [:]
    for index in file.tokens.indices {
      while let last = places.last, last.end <= index { places.removeLast() }
      let token = file.tokens[index]
      if token.isOpen("{") {
        let end = file.matches[index]
        places.append(bodies[index].map { .type($0, end: end) } ?? .body(end: end))
        continue
      }
      guard token.kind == .name else { continue }
      if let type = file.typeDeclaration(at: index) { bodies[type.body] = type }
      if file.isSymbol(index - 1, ".") { continue }
      if token.text == "func" { addFunction(at: index, file) }
      if case .body = places.last { continue }
      var declaration: SourceFile.TypeDeclaration?
      if case .type(let type, _) = places.last { declaration = type }
      if token.text == "init", let name = declaration?.path.last, KnownNames.types[name] == nil,
        let open = file.first(from: index, to: index + 3, where: { file.isOpen($0, "(") }),
        file.arguments(of: open).contains(where: { $0.label == "recordType" })
      {
        hasOwnRecordTypes = true
      }
      guard ["let", "var", "case", "subscript"].contains(token.text) else { continue }
      let path = places.suffix(Self.maxDepth).flatMap { place -> [String] in
        if case .type(let type, _) = place { type.path } else { [] }
      }
      switch token.text {
      case "let", "var": addVariable(at: index, file, path)
      case "case" where declaration?.isEnum == true:
        addCases(at: index, file, path, declaration!.inherited)
      case "subscript" where path.last == "CKRecord":
        addSubscript(at: index, file)
      default: break
      }
    }
  }

  private mutating func addVariable(at index: Int, _ file: SourceFile, _ path: [String]) {
    guard let variable = file.variable(at: index) else { return }
    if let wrapper = file.wrapper(before: index), let type = path.last {
      wrappers[type, default: [:]][variable.name] = wrapper
    }
    if let value = file.constantText(of: variable) {
      return constants[variable.name, default: []].append(
        Constant(path: path, value: value, isCase: false))
    }
    otherNames.insert(path + [variable.name])
    guard let owner = path.last else { return }
    if variable.name == "recordType", variable.type != nil, variable.body == nil,
      !file.isName(index - 1, "static"), !file.isName(index - 2, "static")
    {
      hasOwnRecordTypes = true
    }
    var type = variable.type.map { file.type(declaredAs: $0, in: self) }
    if type == nil, let value = variable.value, let name = file.name(value),
      file.isOpen(value + 1, "("), !file.isSymbol(file.after(value + 1), ".")
    {
      type = file.type(named: name, in: self)
    }
    if type == nil, let value = variable.value,
      let last = file.first(from: value, where: { file.tokens[$0].followsLineBreak && $0 > value }),
      file.name(last - 1).map(KnownNames.databases.contains) ?? false
    {
      type = ExpressionType(.database)
    }
    if let type { properties[owner, default: [:]][variable.name] = type }
  }

  /// Adds the cases of an enum with names or strings as raw values.
  private mutating func addCases(
    at index: Int, _ file: SourceFile, _ path: [String], _ inherited: Set<String>
  ) {
    guard inherited.contains("String") || inherited.contains("CodingKey") else { return }
    var next = index + 1
    while let name = file.name(next) {
      var value = name
      next += 1
      if file.isSymbol(next, "="), let literal = file[next + 1], literal.kind == .string,
        literal.isPlain
      {
        value = literal.text
        next += 2
      }
      constants[name, default: []].append(Constant(path: path, value: value, isCase: true))
      if inherited.contains("CodingKey"), path.count > 1 {
        codingKeys[path[path.count - 2], default: [:]][name] = value
      }
      guard file.isSymbol(next, ",") else { return }
      next += 1
    }
  }

  /// Adds what a function returns. Only their arguments distinguish functions of one name that
  /// return different things, so the name alone decides nothing.
  private mutating func addFunction(at index: Int, _ file: SourceFile) {
    guard let name = file.name(index + 1),
      let open = file.first(
        from: index + 2, where: { file.isOpen($0, "(") || file.isOpen($0, "{") }),
      file.isOpen(open, "(")
    else { return }
    var next = file.after(open)
    while let effect = file.name(next), ["async", "throws", "rethrows"].contains(effect) {
      next = file.isOpen(next + 1, "(") ? file.after(next + 1) : next + 1
    }
    var type = ExpressionType.other
    if file.isSymbol(next, "->") {
      type = file.type(declaredAs: (next + 1)..<file.endOfType(from: next + 1), in: self)
    }
    functions[name] = functions[name].map { $0 == type ? type : .other } ?? type
  }

  private mutating func addSubscript(at index: Int, _ file: SourceFile) {
    guard let open = file.first(from: index + 1, where: { file.isOpen($0, "(") }) else { return }
    for parameter in file.parameters(of: open) {
      if let type = file.tokens[parameter.type].last?.text { keyTypes.insert(type) }
    }
  }
}

extension SourceFile {
  /// The string that a constant always has, if it is one: `let name = "text"`, or a computed
  /// property that returns a literal.
  func constantText(of variable: Variable) -> String? {
    if let value = variable.value {
      guard variable.isConstant, let token = self[value], token.kind == .string, token.isPlain,
        endsExpression(value + 1)
      else { return nil }
      return token.text
    }
    guard let body = variable.body, !variable.isConstant else { return nil }
    var index = body + 1
    if isName(index, "return") { index += 1 }
    guard let token = self[index], token.kind == .string, token.isPlain,
      matches[body] == index + 1
    else { return nil }
    return token.text
  }

  /// Whether an expression ends before a token: at the end of a line or a bracket.
  func endsExpression(_ index: Int) -> Bool {
    guard let token = self[index] else { return true }
    if token.closes || token.isSymbol(",") || token.isSymbol(";") { return true }
    return token.followsLineBreak && token.kind != .symbol || token.isSymbol("@")
  }

  /// The property wrapper of the declaration at an index, as in `@Encrypted var name`.
  func wrapper(before index: Int) -> String? {
    var start = index - 1
    let modifiers: Set<String> = [
      "public", "private", "internal", "package", "fileprivate", "lazy", "nonisolated", "static",
    ]
    while let name = name(start), modifiers.contains(name), !isSymbol(start - 1, "@") { start -= 1 }
    if let close = self[start], close.isClose(")"), matches[start] < start {
      start = matches[start] - 1
    }
    guard let name = name(start), isSymbol(start - 1, "@") else { return nil }
    return name
  }
}
