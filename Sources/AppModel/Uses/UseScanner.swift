import RecordSchema

/// Finds the record types and fields that one file uses.
///
/// Walks over the tokens once, and keeps what the names in scope are. A name whose declaration is
/// not understood is bound to ``ExpressionType/other``, so that it hides those of the same name outside.
struct UseScanner {
  /// The names that a pair of braces encloses.
  struct Scope {
    var end: Int
    /// The declared type whose body it is.
    var type: String?
    var bindings: [String: ExpressionType] = [:]
    /// The type of the value that a `switch` examines.
    var subject: ExpressionType = .other
  }

  let file: SourceFile
  let index: SourceIndex
  var scopes: [Scope]
  /// The known parts of scopes whose opening brace follows.
  var prepared: [Int: Scope] = [:]
  /// The scopes of conditions, by the tokens before which they begin: a condition sees what those before it bind.
  private var conditions: [Int: Scope] = [:]
  /// The declared types of variables that begin with `.init(…)`, by the period.
  private(set) var implicitTypes: [Int: String] = [:]
  /// The types of the parameters of closures, by their opening braces.
  var closures: [Int: [ExpressionType]] = [:]
  var uses: [SourceUse] = []
  var computed: [SchemaLocation] = []
  /// The tokens that were reported, because some are reached in two ways.
  private var seen: Set<Seen> = []

  private struct Seen: Hashable {
    var token: Int
    var name: String?
  }

  init(_ file: SourceFile, _ index: SourceIndex) {
    self.file = file
    self.index = index
    scopes = [Scope(end: file.tokens.count + 1)]
  }

  mutating func scan() {
    for position in file.tokens.indices {
      while scopes.count > 1, scopes[scopes.count - 1].end <= position { scopes.removeLast() }
      if let scope = conditions.removeValue(forKey: position) { scopes.append(scope) }
      let token = file.tokens[position]
      switch token.kind {
      case .open where token.text == "{": openScope(at: position)
      case .name:
        if file.isSymbol(position - 1, ".") {
          if isImplicitInit(at: position - 1) { examine(at: position - 1) }
          continue
        }
        if !declare(at: position) {
          if file.isSymbol(position + 1, "=") { assign(at: position) }
          examine(at: position)
        }
      case .open: examine(at: position)
      default: break
      }
    }
  }

  private mutating func openScope(at position: Int) {
    var scope = prepared.removeValue(forKey: position) ?? Scope(end: 0)
    scope.end = file.matches[position]
    let parameters = closures.removeValue(forKey: position)
    bindClosure(at: position, parameters ?? [], in: &scope)
    scopes.append(scope)
  }

  /// Binds the parameters of a closure, `{ (a, b) in` or `{ a, b in`, or `$0` and so on.
  private func bindClosure(at open: Int, _ types: [ExpressionType], in scope: inout Scope) {
    for (number, type) in types.enumerated() {
      scope.bindings["$\(number)"] = type
    }
    var next = open + 1
    if file.isOpen(next, "[") { next = file.after(next) }
    var names: [(name: String, type: Range<Int>?)] = []
    if file.isOpen(next, "(") {
      for part in file.parts(of: next) {
        guard let name = file.name(part.lowerBound) else { continue }
        let hasType = file.isSymbol(part.lowerBound + 1, ":")
        names.append((name, hasType ? (part.lowerBound + 2)..<part.upperBound : nil))
      }
      next = file.after(next)
    } else {
      while let name = file.name(next), name != "in" {
        names.append((name, nil))
        next += 1
        guard file.isSymbol(next, ",") else { break }
        next += 1
      }
    }
    guard let end = file.first(from: next, to: next + 12, where: { file.isName($0, "in") }),
      end == next || file[next]?.kind == .symbol || file[next]?.kind == .name
    else { return }
    for (number, parameter) in names.enumerated() {
      scope.bindings[parameter.name] =
        parameter.type.map { file.type(declaredAs: $0, in: index) }
        ?? (types.indices.contains(number) ? types[number] : .other)
    }
  }

  // MARK: - Names

  /// How many enclosing scopes a name is looked up in.
  private static let maxScopes = 100

  /// Returns the type of a name in scope, or `nil` if it is not declared here.
  func binding(_ name: String) -> ExpressionType? {
    for scope in scopes.suffix(Self.maxScopes).reversed() {
      if let found = scope.bindings[name] { return found }
      if let type = scope.type, let found = index.properties[type]?[name] { return found }
    }
    return nil
  }

  /// The innermost declared type around the current position.
  var currentType: String? { scopes.suffix(Self.maxScopes).last { $0.type != nil }?.type }

  mutating func bind(_ name: String, _ type: ExpressionType) {
    scopes[scopes.count - 1].bindings[name] = type
  }

  /// Binds a name again that is assigned another record.
  private mutating func assign(at position: Int) {
    let name = file.tokens[position].text
    guard let number = scopes.suffix(Self.maxScopes).lastIndex(where: { $0.bindings[name] != nil }),
      scopes[number].bindings[name]?.kind == .record
    else { return }
    var value = type(at: position + 2)
    if value.kind != .record { value = ExpressionType(.record) }
    // In a branch, the record may also be the former one.
    let isCertain = number == scopes.count - 1 || scopes[number].bindings[name] == value
    scopes[number].bindings[name] = isCertain ? value : ExpressionType(.record)
  }

  // MARK: - Uses

  /// Reports the use of a record type.
  mutating func use(type: String, at token: Int, _ access: SourceUse.Access) {
    guard seen.insert(Seen(token: token)).inserted else { return }
    uses.append(
      SourceUse(recordType: type, field: nil, access: access, location: file.location(of: token)))
  }

  /// Reports the use of a field, or counts it if its key is computed.
  mutating func use(
    key: SourceKey, ofType type: String?, isEncrypted: Bool?, _ access: SourceUse.Access
  ) {
    switch key {
    case .name(let name, let token):
      guard seen.insert(Seen(token: token, name: name)).inserted else { return }
      uses.append(
        SourceUse(
          recordType: type, field: name, isEncrypted: isEncrypted, access: access,
          location: file.location(of: token)))
    case .computed(let token): count(computed: token)
    case .system: break
    }
  }

  mutating func count(computed token: Int) {
    guard seen.insert(Seen(token: token)).inserted else { return }
    computed.append(file.location(of: min(token, file.tokens.count - 1)))
  }

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
    var bindings: [String: ExpressionType] = [:]
    for parameter in file.parameters(of: next) {
      bindings[parameter.name] = file.type(declaredAs: parameter.type, in: index)
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
    let type = self.type(of: variable)
    let keyword = file.name(position - 1)
    let isCondition =
      keyword == "if" || keyword == "while" || file.isSymbol(position - 1, ",")
    if isCondition, let body = conditionBrace(from: position) {
      prepared[body, default: Scope(end: 0)].bindings[variable.name] = type
      let next = file.first(from: position, to: body) { file.isSymbol($0, ",") }
      bind([variable.name: type], from: next.map { $0 + 1 }, to: body)
    } else if keyword == "guard" || !isCondition || variable.value != nil {
      bind(variable.name, type)
    }
  }

  /// Binds names between a token, if there is one, and a body.
  private mutating func bind(_ names: [String: ExpressionType], from start: Int?, to body: Int) {
    guard let start else { return }
    conditions[start, default: Scope(end: body)].bindings.merge(names) { $1 }
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

  private mutating func type(of variable: SourceFile.Variable) -> ExpressionType {
    if let text = file.constantText(of: variable) { return ExpressionType(.text(text)) }
    if let type = variable.type {
      if let value = variable.value, isImplicitInit(at: value) {
        implicitTypes[value] = file.name(ofType: type)
      }
      let declared = file.type(declaredAs: type, in: index)
      guard let value = variable.value else { return declared }
      let found = self.type(at: value)
      return found.kind == declared.kind || implicitTypes[value] != nil ? found : declared
    }
    if let value = variable.value { return type(at: value) }
    // `if let record {` examines the outer variable of the same name.
    return binding(variable.name) ?? .other
  }

  /// Hides the names of a pattern such as `(record, error)`.
  private mutating func bindPattern(from start: Int) {
    guard file.isOpen(start, "(") else { return }
    var types: [ExpressionType] = []
    let end = file.after(start)
    if file.isSymbol(end, "=") {
      let value = type(at: end + 1)
      if value.kind == .queryResults { types = [value.with(.results)] }
    }
    for (number, part) in file.parts(of: start).enumerated() {
      guard let name = file.name(part.lowerBound) else { continue }
      bind(name, types.indices.contains(number) ? types[number] : .other)
    }
  }

  private mutating func declareLoop(at position: Int) {
    guard let word = file.first(from: position + 1, where: { file.isName($0, "in") }),
      let body = bodyBrace(from: word + 1)
    else { return }
    let sequence = type(at: word + 1)
    let start = file.isName(position + 1, "case") ? position + 2 : position + 1
    var scope = prepared[body] ?? Scope(end: 0)
    if file.isOpen(start, "(") {
      for (number, part) in file.parts(of: start).enumerated() {
        guard let name = file.name(part.lowerBound) else { continue }
        scope.bindings[name] = number == 1 ? sequence.second : .other
      }
    } else if let name = file.name(start) {
      scope.bindings[name] = sequence.element
    }
    prepared[body] = scope
    let filter = file.first(from: word + 1, to: body) { file.isName($0, "where") }
    bind(scope.bindings, from: filter.map { $0 + 1 }, to: body)
  }

  private mutating func declareSwitch(at position: Int) {
    guard let body = bodyBrace(from: position + 1) else { return }
    prepared[body, default: Scope(end: 0)].subject = type(at: position + 1)
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
    let subject = isCondition ? type(at: close + 1) : scopes.last?.subject ?? .other
    for part in file.parts(of: next + 2) {
      let isLet = file.isName(part.lowerBound, "let") || file.isName(part.lowerBound, "var")
      guard isLet || isBinding, let bound = file.name(part.lowerBound + (isLet ? 1 : 0)) else {
        continue
      }
      let isRecord = name == "success" && subject.kind == .result
      let type = isRecord ? subject.with(.record) : .other
      if isCondition, file.name(position - 1) != "guard", let body = conditionBrace(from: close) {
        prepared[body, default: Scope(end: 0)].bindings[bound] = type
      }
      bind(bound, type)
    }
  }
}
