import RecordSchema

extension UseScanner {
  /// Reads what a keyword declares.
  ///
  /// - Returns: Whether the token is a keyword of a declaration, which is no expression.
  mutating func declare(at position: Int) -> Bool {
    switch file.tokens[position].text {
    case "struct", "class", "enum", "actor", "extension", "protocol":
      guard let type = file.typeDeclaration(at: position) else { return false }
      prepared[type.body, default: Scope(end: 0)].type = type.path.last
    case "func", "init", "subscript": return declareFunction(at: position)
    case "let", "var": declareVariable(at: position)
    case "for": declareLoop(at: position)
    case "switch": declareSwitch(at: position)
    case "case": declareCase(at: position)
    default: return false
    }
    return true
  }

  private mutating func declareFunction(at position: Int) -> Bool {
    var next = position + 1
    if file.isName(position, "func") { next += 1 }
    if file.isName(position, "init"), file.isSymbol(next, "?") || file.isSymbol(next, "!") {
      next += 1
    }
    if file.isSymbol(next, "<") {
      guard let open = file.first(from: next, where: { file.isOpen($0, "(") }) else { return true }
      next = open
    }
    guard file.isOpen(next, "(") else { return false }
    var bindings: [String: Receiver] = [:]
    for parameter in file.parameters(of: next) {
      bindings[parameter.name] = file.receiver(ofType: parameter.type, in: index)
    }
    if let body = bodyBrace(from: file.after(next)), isStillHeader(file.after(next), body) {
      prepared[body, default: Scope(end: 0)].bindings = bindings
    }
    return true
  }

  /// The opening brace that follows, outside of other brackets.
  func bodyBrace(from start: Int) -> Int? {
    file.first(from: start) { file.isOpen($0, "{") }
  }

  /// Whether the body belongs to the function: a requirement of a protocol has none.
  private func isStillHeader(_ start: Int, _ body: Int) -> Bool {
    !file.tokens[start..<body].contains { token in
      ["func", "var", "let", "init", "class", "struct", "enum"].contains(token.text)
        && token.kind == .name
    }
  }

  /// Binds the name of `let` or `var`, of a condition, or those of a pattern.
  private mutating func declareVariable(at position: Int) {
    guard let variable = file.variable(at: position) else {
      return bindPattern(from: position + 1)
    }
    // A case pattern: `case .success(let record)`. Bound by `declareCase`.
    if file.isOpen(position - 1, "(") || file.isSymbol(position - 1, ","),
      scopes.last?.bindings[variable.name] != nil, variable.value == nil, variable.type == nil
    {
      return
    }
    let receiver = self.receiver(of: variable)
    let keyword = file.name(position - 1)
    let isCondition =
      keyword == "if" || keyword == "while" || file.isSymbol(position - 1, ",")
    if isCondition, let body = conditionBrace(from: position) {
      prepared[body, default: Scope(end: 0)].bindings[variable.name] = receiver
      // The conditions after this one see the name too, and no code before the body assigns it.
    } else if keyword == "guard" || !isCondition || variable.value != nil {
      bind(variable.name, receiver)
    }
  }

  /// The body of the `if` or `while` whose conditions contain a position. `nil` for `guard`.
  private func conditionBrace(from position: Int) -> Int? {
    guard
      let body = file.first(
        from: position, where: { file.isOpen($0, "{") || file.isName($0, "else") }),
      file.isOpen(body, "{")
    else { return nil }
    return body
  }

  private func receiver(of variable: SourceFile.Variable) -> Receiver {
    if let text = file.constantText(of: variable) { return .text(text) }
    if let type = variable.type {
      let declared = file.receiver(ofType: type, in: index)
      guard case .record = declared, let value = variable.value else { return declared }
      let found = receiver(at: value)
      if case .record = found { return found }
      return declared
    }
    if let value = variable.value { return receiver(at: value) }
    // `if let record {` examines the outer variable of the same name.
    return binding(variable.name) ?? .other
  }

  /// Hides the names of a pattern such as `(record, error)`.
  private mutating func bindPattern(from start: Int) {
    guard file.isOpen(start, "(") else { return }
    var receivers: [Receiver] = []
    let end = file.after(start)
    if file.isSymbol(end, "="), case .queryResults(let type) = receiver(at: end + 1) {
      receivers = [.results(type: type), .other]
    }
    for (number, part) in file.parts(of: start).enumerated() {
      guard let name = file.name(part.lowerBound) else { continue }
      bind(name, receivers.indices.contains(number) ? receivers[number] : .other)
    }
  }

  private mutating func declareLoop(at position: Int) {
    guard let word = file.first(from: position + 1, where: { file.isName($0, "in") }),
      let body = bodyBrace(from: word + 1)
    else { return }
    let sequence = receiver(at: word + 1)
    let start = file.isName(position + 1, "case") ? position + 2 : position + 1
    var scope = prepared[body] ?? Scope(end: 0)
    if file.isOpen(start, "(") {
      for (number, part) in file.parts(of: start).enumerated() {
        guard let name = file.name(part.lowerBound) else { continue }
        switch sequence {
        case .results(let type): scope.bindings[name] = number == 1 ? .result(type: type) : .other
        case .recordMap(let type): scope.bindings[name] = number == 1 ? .record(type: type) : .other
        default: scope.bindings[name] = .other
        }
      }
    } else if let name = file.name(start) {
      scope.bindings[name] = sequence.element
    }
    prepared[body] = scope
  }

  private mutating func declareSwitch(at position: Int) {
    guard let body = bodyBrace(from: position + 1) else { return }
    prepared[body, default: Scope(end: 0)].subject = receiver(at: position + 1)
  }

  /// Binds the value of `case .success(let record)`, in a `switch` or a condition.
  private mutating func declareCase(at position: Int) {
    var next = position + 1
    var isBinding = false
    if file.isName(next, "let") {
      isBinding = true
      next += 1
    }
    guard file.isSymbol(next, "."), let name = file.name(next + 1), file.isOpen(next + 2, "(")
    else { return }
    let close = file.after(next + 2)
    let isCondition = file.isSymbol(close, "=")
    let subject = isCondition ? receiver(at: close + 1) : scopes.last?.subject ?? .other
    for part in file.parts(of: next + 2) {
      let isLet = file.isName(part.lowerBound, "let") || file.isName(part.lowerBound, "var")
      guard isLet || isBinding, let bound = file.name(part.lowerBound + (isLet ? 1 : 0)) else {
        continue
      }
      var receiver = Receiver.other
      if name == "success", case .result(let type) = subject { receiver = .record(type: type) }
      if isCondition, file.name(position - 1) != "guard", let body = conditionBrace(from: close) {
        prepared[body, default: Scope(end: 0)].bindings[bound] = receiver
      }
      bind(bound, receiver)
    }
  }
}
