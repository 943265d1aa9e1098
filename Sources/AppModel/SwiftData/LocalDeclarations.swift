/// The variables, functions and parameters of a file, for following a name to its values.
struct LocalDeclarations {
  struct Declaration {
    var name: String
    /// The value, or the body.
    var values: [Range<Int>] = []
    /// The index of the brace around it; -1 at the top of the file.
    var block: Int
    /// The path of the type around it.
    var scope: [String]
    /// Whether it is declared in a type or at the top, so that other files can name it.
    var isShared: Bool
    /// Whether its type is a list of models or a schema.
    var isList = false
    /// Whether it can have configurations.
    var hasConfiguration = false
    /// Of a parameter: the name of its function, its label and its position, and whether only this
    /// file calls the function.
    var parameter: (function: String, label: String?, position: Int, isPrivate: Bool)?
  }

  private struct Block {
    var open: Int
    var end: Int
    var type: Int
    var isType: Bool
  }

  private(set) var all: [Declaration] = []
  private var numbers: [String: [Int]] = [:]
  /// The values that are assigned to names, or appended to them.
  private var assignments: [String: [(index: Int, value: Range<Int>)]] = [:]
  /// The places where functions of the file may be called.
  private var calls: [String: [Int]] = [:]
  /// The names of variables and parameters whose value is another name.
  private var otherNames: [String: [String]] = [:]
  private var types: [(path: [String], isPreview: Bool)] = [([], false)]
  /// For each token, the number of the type around it.
  private var owners: [Int] = []
  private let file: SourceFile

  /// How many declarations, assignments or calls of one name are looked at.
  private static let maxSameName = 64
  /// How deep types are followed in types.
  private static let maxDepth = 16

  init(_ file: SourceFile) {
    self.file = file
    owners.reserveCapacity(file.tokens.count)
    var blocks: [Block] = []
    var bodies: [Int: Int] = [:]
    for index in file.tokens.indices {
      while let last = blocks.last, last.end <= index { blocks.removeLast() }
      owners.append(blocks.last?.type ?? 0)
      let token = file.tokens[index]
      if token.isOpen("{") {
        let end = min(file.matches[index], file.tokens.count)
        blocks.append(
          Block(
            open: index, end: end, type: bodies[index] ?? owners[index],
            isType: bodies[index] != nil))
      }
      guard token.kind == .name else { continue }
      let around = (
        block: blocks.last?.open ?? -1, scope: types[owners[index]].path,
        isShared: blocks.last?.isType ?? true
      )
      if token.text == "let" || token.text == "var" {
        addVariable(at: index, around)
      } else if token.text == "for", let name = file.name(index + 1), file.isName(index + 2, "in") {
        addElement(name, of: index + 3, around)
      } else if token.text == "func" || token.text == "init" && !file.isSymbol(index - 1, ".") {
        addFunction(at: index, around)
      } else if let type = file.typeDeclaration(at: index), around.scope.count < Self.maxDepth {
        bodies[type.body] = types.count
        let isPreview = !type.inherited.isDisjoint(with: ["PreviewProvider", "PreviewModifier"])
        types.append(((token.text == "extension" ? [] : around.scope) + type.path, isPreview))
      } else {
        addAssignment(at: index)
        if file.isOpen(index + 1, "("), !file.isName(index - 1, "func"),
          calls[token.text, default: []].count < Self.maxSameName
        {
          calls[token.text, default: []].append(index)
        }
      }
    }
  }

  // MARK: - Reading

  private typealias Around = (block: Int, scope: [String], isShared: Bool)

  private mutating func add(_ declaration: Declaration) {
    guard numbers[declaration.name, default: []].count < Self.maxSameName else { return }
    numbers[declaration.name, default: []].append(all.count)
    // A function that is passed on: its parameters are those of the calls of its other name.
    for value in declaration.values where value.count == 1 {
      let function = file.tokens[value.lowerBound]
      if function.kind == .name, otherNames[function.text, default: []].count < Self.maxSameName {
        otherNames[function.text, default: []].append(declaration.name)
      }
    }
    all.append(declaration)
  }

  private mutating func addVariable(at index: Int, _ around: Around) {
    guard let variable = file.variable(at: index) else { return }
    var declaration = Declaration(
      name: variable.name, block: around.block, scope: around.scope, isShared: around.isShared)
    if let value = variable.value {
      declaration.values = [value..<file.endOfExpression(from: value)]
    } else if let body = variable.body {
      declaration.values = [body..<file.after(body)]
    }
    note(variable.type, &declaration)
    add(declaration)
  }

  /// Adds the variable of a loop, which is each element of a list.
  private mutating func addElement(_ name: String, of list: Int, _ around: Around) {
    guard let body = file.first(from: list, where: { file.isOpen($0, "{") }) else { return }
    add(
      Declaration(
        name: name, values: [list..<body], block: body, scope: around.scope, isShared: false,
        hasConfiguration: true))
  }

  private func note(_ type: Range<Int>?, _ declaration: inout Declaration) {
    // `static var local: Self { .init(…) }` in an extension of the library's type.
    if declaration.scope.last == "Schema" { declaration.isList = true }
    if declaration.scope.last == "ModelConfiguration" { declaration.hasConfiguration = true }
    for range in [type].compactMap({ $0 }) + declaration.values {
      for token in file.tokens[range].prefix(400) where token.kind == .name {
        if token.text == "PersistentModel" || token.text == "Schema" { declaration.isList = true }
        if token.text.hasSuffix("Configuration") || token.text.hasSuffix("onfig") {
          declaration.hasConfiguration = true
        }
      }
    }
  }

  private mutating func addFunction(at index: Int, _ around: Around) {
    let isInit = file.isName(index, "init")
    guard let name = isInit ? "init" : file.name(index + 1) else { return }
    var next = isInit ? index + 1 : index + 2
    if file.isSymbol(next, "?") || file.isSymbol(next, "!") { next += 1 }
    if file.isSymbol(next, "<") {
      guard let open = file.first(from: next, where: { file.isOpen($0, "(") }) else { return }
      next = open
    }
    guard file.isOpen(next, "(") else { return }
    let body = file.first(
      from: file.after(next),
      where: { file.isOpen($0, "{") || ["func", "var", "let"].contains(file.name($0) ?? "") })
    guard let body, file.isOpen(body, "{") else { return }
    let function = isInit ? around.scope.last ?? "init" : name
    let isPrivate = file.modifiers(before: index).contains {
      $0 == "private" || $0 == "fileprivate"
    }
    for (position, parameter) in file.parameters(of: next).enumerated() {
      let label = file.name(parameter.type.lowerBound - 3) ?? parameter.name
      // The default value, up to the next parameter.
      let type = parameter.type.upperBound
      let hasDefault = file.isSymbol(type, "=") && type + 1 < file.tokens.count
      var declaration = Declaration(
        name: parameter.name,
        values: hasDefault ? [(type + 1)..<file.endOfExpression(from: type + 1)] : [],
        block: body, scope: around.scope, isShared: false,
        parameter: (function, label == "_" ? nil : label, position, isPrivate))
      note(parameter.type, &declaration)
      // Other files may pass other lists.
      if !isPrivate { declaration.isList = false }
      add(declaration)
    }
    if isInit { return }
    var declaration = Declaration(
      name: name, values: [body..<file.after(body)], block: around.block, scope: around.scope,
      isShared: around.isShared)
    note(file.after(next)..<body, &declaration)
    add(declaration)
  }

  /// Adds `name = value`, `self.name = value`, `name += value` and `name.append(value)`.
  private mutating func addAssignment(at index: Int) {
    let name = file.tokens[index].text
    if file.isName(index - 1, "let") || file.isName(index - 1, "var") { return }
    if file.isSymbol(index - 1, "."), !file.isName(index - 2, "self"),
      !file.isName(index - 2, "Self")
    {
      return
    }
    var value: Range<Int>?
    if file.isSymbol(index + 1, "=") || file.isSymbol(index + 1, "+=") {
      guard !file.isSymbol(index - 1, ":"), index + 2 < file.tokens.count else { return }
      value = (index + 2)..<file.endOfExpression(from: index + 2)
    } else if file.isSymbol(index + 1, "."),
      file.isName(index + 2, "append") || file.isName(index + 2, "insert"),
      file.isOpen(index + 3, "(")
    {
      value = (index + 4)..<max(index + 4, min(file.matches[index + 3], file.tokens.count))
    }
    guard let value, assignments[name, default: []].count < Self.maxSameName else { return }
    assignments[name, default: []].append((index, value))
  }

  // MARK: - Looking up

  /// The path of the type around a token.
  func scope(at index: Int) -> [String] { types[owners[index]].path }

  /// Whether a token is in a type that makes previews.
  func isPreview(_ index: Int) -> Bool { types[owners[index]].isPreview }

  /// The declarations that a name means at a token: the nearest, or of a member those of its type.
  ///
  /// - Parameter other: The type of SwiftData that has no implicit member here. A container has none in any
  ///   place: `.app` is a schema or a configuration, even in an extension of the container.
  func find(_ names: [String], at index: Int, not other: String = "ModelContainer") -> [Int] {
    guard let last = names.last else { return [] }
    let isImplicit = file.isSymbol(index - 1, ".")
    let candidates = (numbers[last] ?? []).filter {
      !isImplicit || all[$0].scope != ["ModelContainer"] && all[$0].scope != [other]
    }
    if names.count > 1 {
      let owner = names.dropLast()
      return candidates.filter { all[$0].isShared && all[$0].scope.suffix(owner.count) == owner }
    }
    let visible = candidates.filter { number in
      let block = all[number].block
      return block < 0 || block < index && index < min(file.matches[block], file.tokens.count)
    }
    guard let innermost = visible.map({ all[$0].block }).max() else {
      // A member of an extension elsewhere, or of the type that an implicit member has.
      let shared = candidates.filter { all[$0].isShared }
      let scope = scope(at: index)
      let own = shared.filter { all[$0].scope == scope }
      return own.isEmpty && isImplicit ? shared : own
    }
    // Several with one name are in branches of `#if`.
    let nearest = visible.filter { all[$0].block == innermost }
    let before = nearest.filter { start(of: $0) <= index }
    return all[nearest[0]].isShared || before.isEmpty ? nearest : before
  }

  private func start(of declaration: Int) -> Int { all[declaration].values.first?.lowerBound ?? 0 }

  /// The values of a declaration, with those that are assigned to it; of a parameter, the arguments
  /// of the calls.
  func ranges(of declaration: Int) -> [Range<Int>] {
    let declared = all[declaration]
    if let parameter = declared.parameter {
      let arguments = (calls[parameter.function] ?? []).flatMap { index in
        let arguments = file.arguments(of: index + 1)
        guard let label = parameter.label else { return self[parameter.position, arguments] }
        return arguments.filter { $0.label == label }.map(\.tokens)
      }
      // A closure has no labels.
      let passed = (otherNames[parameter.function] ?? []).flatMap { calls[$0] ?? [] }
      return declared.values + arguments
        + passed.flatMap { self[parameter.position, file.arguments(of: $0 + 1)] }
    }
    let block = declared.block
    let assigned = (assignments[declared.name] ?? []).filter { assignment in
      block < 0
        || block < assignment.index
          && assignment.index < min(file.matches[block], file.tokens.count)
    }
    return declared.values + assigned.map(\.value)
  }

  /// Whether a declaration is a parameter of a function that other files may call.
  func isOpenParameter(_ number: Int) -> Bool { all[number].parameter?.isPrivate == false }

  /// The argument that gives a declaration its value, in calls of any file: of a parameter, or of a
  /// property that has no other value.
  func argument(for number: Int) -> (function: String, label: String)? {
    let declared = all[number]
    if isOpenParameter(number), let parameter = declared.parameter, let label = parameter.label {
      return (parameter.function, label)
    }
    guard declared.parameter == nil, declared.isShared, let type = declared.scope.last,
      ranges(of: number).isEmpty
    else { return nil }
    return (type, declared.name)
  }

  private subscript(position: Int, arguments: [SourceFile.Argument]) -> [Range<Int>] {
    arguments.dropFirst(position).prefix(1).map(\.tokens)
  }
}

extension SourceFile {
  /// The names in the line before a keyword, such as `private static`.
  fileprivate func modifiers(before index: Int) -> [String] {
    tokens[..<index].suffix(8).reversed().prefix { $0.kind == .name }.map(\.text)
  }

  /// The index after an expression: at a line that continues it nowhere, or where brackets close.
  func endOfExpression(from start: Int) -> Int {
    var index = start
    while index < tokens.count {
      let token = tokens[index]
      if token.closes || token.isSymbol(";") || token.isSymbol(",") { return index }
      if index > start, token.followsLineBreak, !continues(at: index) { return index }
      index = after(index)
    }
    return index
  }

  /// Whether the expression of the line before goes on in the line that begins at an index.
  private func continues(at index: Int) -> Bool {
    let (token, before) = (tokens[index], tokens[index - 1])
    if token.kind == .symbol, token.text != "@" { return true }
    if token.isName("else") || token.isName("as") || token.isName("in") { return true }
    if before.kind == .symbol { return !["!", "?", ">"].contains(before.text) }
    return before.isName("try") || before.isName("await") || before.isName("return")
      || before.isName("else")
  }
}
