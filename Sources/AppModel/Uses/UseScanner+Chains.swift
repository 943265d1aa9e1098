import RecordSchema

extension UseScanner {
  /// A use in an expression, or the parameters of a closure in it.
  enum Finding {
    case type(SourceKey, SourceUse.Access)
    case field(SourceKey, type: String?, isEncrypted: Bool?, SourceUse.Access)
    case predicate(format: Int, type: String?)
    case closure(brace: Int, [ExpressionType])
  }

  /// An expression of names, calls and subscripts, as far as it was read.
  struct Chain {
    var type: ExpressionType
    var end: Int
    var findings: [Finding] = []
    /// The parameters of a trailing closure, if the last call takes one.
    var closure: [ExpressionType]?
  }

  /// How deep parentheses and `??` are followed.
  private static let maxDepth = 8

  /// Reports what the expression that begins at a token uses.
  mutating func examine(at position: Int) {
    if file.tokens[position].kind == .open {
      guard file.isOpen(position, "("),
        !(file[position - 1]?.endsOperand ?? false) || file.tokens[position].followsLineBreak
      else { return }
    }
    for finding in chain(at: position).findings {
      switch finding {
      case .type(.name(let name, let token), let access): use(type: name, at: token, access)
      case .type(.computed(let token), _): count(computed: token)
      case .type(.system, _): break
      case .field(let key, let type, let isEncrypted, let access):
        use(key: key, ofType: type, isEncrypted: isEncrypted, access)
      case .predicate(let format, let type): use(predicate: format, ofType: type)
      case .closure(let brace, let types): closures[brace] = types
      }
    }
  }

  /// Returns the type of the expression that begins at a token.
  func type(at position: Int) -> ExpressionType { chain(at: position).type }

  func chain(at start: Int, depth: Int = 0) -> Chain {
    var chain = Chain(type: .other, end: start)
    while let word = file.name(chain.end), ["try", "await", "consume"].contains(word) {
      chain.end += 1
      if file.isSymbol(chain.end, "?") || file.isSymbol(chain.end, "!") { chain.end += 1 }
    }
    guard depth < Self.maxDepth, let first = file[chain.end] else { return chain }
    if first.isOpen("(") {
      let inner = self.chain(at: chain.end + 1, depth: depth + 1)
      if inner.end == file.matches[chain.end] { chain.type = inner.type }
      chain.end = file.after(chain.end)
    } else if first.kind == .name {
      primary(&chain)
    } else if isImplicitInit(at: chain.end) {
      constructImplicitly(&chain)
    } else {
      chain.end += 1
      return chain
    }
    var steps = 0
    while steps < SourceFile.maxLookahead, postfix(&chain, depth) { steps += 1 }
    return chain
  }

  /// Reads one postfix of an expression.
  private func postfix(_ chain: inout Chain, _ depth: Int) -> Bool {
    guard let token = file[chain.end] else { return false }
    if token.isSymbol("?") || token.isSymbol("!"), !isApart(chain.end) {
      chain.end += 1
    } else if token.isSymbol(".") {
      chain.closure = nil
      guard let name = file.name(chain.end + 1) else {
        chain.type = .other
        chain.end += 2
        return file[chain.end - 1]?.kind == .number
      }
      chain.end += 2
      member(name, &chain)
    } else if token.isOpen("("), !token.followsLineBreak {
      chain.type = .other
      chain.end = file.after(chain.end)
    } else if token.isOpen("["), !token.followsLineBreak {
      subscripted(&chain)
    } else if token.isOpen("{"), let closure = chain.closure {
      chain.findings.append(.closure(brace: chain.end, closure))
      chain.closure = nil
      chain.end = file.after(chain.end)
    } else if token.isName("as") {
      var type = chain.end + 1
      if file.isSymbol(type, "?") || file.isSymbol(type, "!") { type += 1 }
      let end = file.endOfType(from: type)
      chain.type = file.type(declaredAs: type..<max(type, end), in: index)
      chain.end = max(end, type)
    } else if token.isSymbol("??") {
      let other = self.chain(at: chain.end + 1, depth: depth + 1)
      chain.end = max(other.end, chain.end + 1)
    } else {
      return false
    }
    return true
  }

  private func isApart(_ position: Int) -> Bool {
    guard let previous = file[position - 1] else { return true }
    return previous.offset + previous.length != file.tokens[position].offset
  }

  /// Reads the first name of an expression.
  private func primary(_ chain: inout Chain) {
    var position = chain.end
    if KnownNames.modules.contains(file.tokens[position].text), file.isSymbol(position + 1, "."),
      file.name(position + 2) != nil
    {
      position += 2
    }
    let name = file.tokens[position].text
    chain.end = position + 1
    let bound = binding(name)
    if name == "self" {
      if let type = currentType { chain.type = file.type(named: type, in: index) }
      return
    }
    var open = position + 1
    if file.isSymbol(open, "."), file.isName(open + 1, "init") { open += 2 }
    let isCall = file.isOpen(open, "(") && !file.tokens[open].followsLineBreak
    if isCall, bound == nil, construct(name, open, &chain) { return }
    if bound == nil, ownMember(name, &chain) { return }
    if let bound {
      chain.type = bound
    } else if isCall, open == position + 1 {
      chain.type = index.functions[name] ?? .other
      chain.end = file.after(open)
    }
  }

  private func subscripted(_ chain: inout Chain) {
    let open = chain.end
    let close = min(file.matches[open], file.tokens.count)
    chain.end = file.after(open)
    let type = chain.type
    chain.type = .other
    switch type.kind {
    case .record, .encrypted:
      let parts = file.parts(of: open)
      guard parts.count == 1, !file.isSymbol(parts[0].lowerBound + 1, ":") else { return }
      chain.findings.append(
        .field(
          key(parts[0]), type: type.recordType, isEncrypted: type.kind == .encrypted,
          access(after: close)))
    case .records:
      // A range gives several records; an index, one.
      let isRange =
        file.tokens[open..<close].contains { $0.kind == .symbol && $0.text == "." }
        && file.tokens[open..<close].contains { $0.isSymbol("<") }
      if !isRange { chain.type = type.with(.record) }
    case .recordMap: chain.type = type.with(.record)
    default: break
    }
  }

  /// Whether a subscript is assigned to.
  private func access(after close: Int) -> SourceUse.Access {
    guard let next = file[close + 1], next.kind == .symbol else { return .read }
    return ["=", "+=", "-=", "*=", "/="].contains(next.text) ? .write : .read
  }
}

/// A key of a record, as the source code has it.
enum SourceKey {
  /// A name that is told, and the token that has it.
  case name(String, token: Int)
  /// A key that is not told.
  case computed(token: Int)
  /// A key of CloudKit itself, which every record has.
  case system
}

extension UseScanner {
  /// Returns the key that an expression has.
  func key(_ range: Range<Int>) -> SourceKey {
    var range = range
    // `"name" as String`
    if let cast = file.first(
      from: range.lowerBound, to: range.upperBound, where: { file.isName($0, "as") })
    {
      range = range.lowerBound..<cast
    }
    guard let first = file[range.lowerBound], !range.isEmpty else {
      return .computed(token: range.lowerBound)
    }
    if first.kind == .string, range.count == 1, first.isPlain {
      return .name(first.text, token: range.lowerBound)
    }
    guard let names = path(range) else { return .computed(token: range.lowerBound) }
    if names.contains("SystemFieldKey") || names.first == "CKShare" { return .system }
    if names.count > 1, names[0].isEmpty {
      return value(ofMember: names).map { .name($0, token: range.lowerBound) }
        ?? .computed(token: range.lowerBound)
    }
    return value(of: names).map { .name($0, token: range.lowerBound) }
      ?? .computed(token: range.lowerBound)
  }

  /// The names of an expression such as `Keys.name.rawValue`. Begins with an empty name for
  /// `.name`.
  private func path(_ range: Range<Int>) -> [String]? {
    var names: [String] = []
    var index = range.lowerBound
    if file.isSymbol(index, ".") {
      names.append("")
    } else {
      guard let name = file.name(index) else { return nil }
      names.append(name)
      index += 1
    }
    while index < range.upperBound {
      guard names.count < SourceIndex.maxDepth, file.isSymbol(index, "."),
        let name = file.name(index + 1)
      else { return nil }
      names.append(name)
      index += 2
    }
    return names
  }

  /// The value of an implicit member, such as `record[.name]`: a constant of a type of keys.
  private func value(ofMember names: [String]) -> String? {
    guard names.count == 2 || names.count == 3 && names[2] == "rawValue" else { return nil }
    let types = index.keyTypes.union(["FieldKey", "RecordType", "String"])
    let found = (index.constants[names[1]] ?? []).filter { types.contains($0.path.last ?? "") }
    return unique(found)
  }

  /// The value of a constant by its name, seen from the current position.
  private func value(of names: [String]) -> String? {
    var names = names
    var takesRawValue = false
    if names.count > 1, let last = names.last, ["rawValue", "stringValue"].contains(last) {
      names.removeLast()
      takesRawValue = true
    }
    if names.count == 1 {
      switch binding(names[0])?.kind {
      case .text(let text): return text
      case nil: break
      default: return nil
      }
    }
    if names[0] == "Self" || names[0] == "self" {
      guard let type = currentType else { return nil }
      names[0] = type
    }
    let member = memberOfType(names)
    // A requirement of a protocol, or a property that a type overrides.
    if member != names, index.otherNames.contains(member) { return nil }
    names = member
    guard let name = names.last else { return nil }
    let candidates = (index.constants[name] ?? []).filter {
      !$0.isCase || takesRawValue || index.keyTypes.contains($0.path.last ?? "")
    }
    if names.count == 1 { return value(ofBare: name, candidates) }
    let prefix = names.dropLast()
    let found = candidates.filter { $0.path.suffix(prefix.count).elementsEqual(prefix) }
    if let value = unique(found) { return value }
    // Of several types with the same name, that in the enclosing type.
    guard let type = currentType else { return nil }
    return unique(found.filter { $0.path.dropLast(prefix.count).last == type })
  }

  /// Replaces a value by its type: `Report.titleKey` for `report.titleKey`.
  private func memberOfType(_ names: [String]) -> [String] {
    guard names.count > 1 else { return names }
    var names = names
    if case .instance(let type)? = binding(names[0])?.kind { names[0] = type }
    while names.count > 2, case .instance(let type)? = index.properties[names[0]]?[names[1]]?.kind {
      names.replaceSubrange(0...1, with: [type])
    }
    return names
  }

  /// The value of a constant that is named alone: that of an enclosing type, or a global one.
  private func value(ofBare name: String, _ candidates: [SourceIndex.Constant]) -> String? {
    for scope in scopes.suffix(SourceIndex.maxDepth * 4).reversed() {
      guard let type = scope.type else { continue }
      let found = candidates.filter { $0.path.last == type && !$0.isCase }
      if !found.isEmpty { return unique(found) }
    }
    if index.otherNames.contains([name]) { return nil }
    return unique(candidates.filter(\.path.isEmpty))
  }

  private func unique(_ constants: [SourceIndex.Constant]) -> String? {
    guard let first = constants.first, constants.allSatisfy({ $0.value == first.value }) else {
      return nil
    }
    return first.value
  }
}
