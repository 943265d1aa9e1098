import RecordSchema

extension UseScanner {
  /// What an expression uses, or tells about a closure.
  enum Finding {
    case type(SourceKey, SourceUse.Access)
    case field(SourceKey, type: String?, isEncrypted: Bool?, SourceUse.Access)
    case predicate(Receiver, type: String?)
    case closure(brace: Int, [Receiver])
  }

  /// An expression of names, calls and subscripts, as far as it was read.
  struct Chain {
    var receiver: Receiver
    var end: Int
    var findings: [Finding] = []
    /// What the parameters of a trailing closure are, if the last call takes one.
    var closure: [Receiver]?
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
      case .predicate(let predicate, let type): use(predicate, ofType: type)
      case .closure(let brace, let receivers): closures[brace] = receivers
      }
    }
  }

  /// What the expression that begins at a token is.
  func receiver(at position: Int) -> Receiver { chain(at: position).receiver }

  func chain(at start: Int, depth: Int = 0) -> Chain {
    var chain = Chain(receiver: .other, end: start)
    while let word = file.name(chain.end), ["try", "await", "consume"].contains(word) {
      chain.end += 1
      if file.isSymbol(chain.end, "?") || file.isSymbol(chain.end, "!") { chain.end += 1 }
    }
    guard depth < Self.maxDepth, let first = file[chain.end] else { return chain }
    if first.isOpen("(") {
      let inner = self.chain(at: chain.end + 1, depth: depth + 1)
      if inner.end == file.matches[chain.end] { chain.receiver = inner.receiver }
      chain.end = file.after(chain.end)
    } else if first.kind == .name {
      primary(&chain)
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
        chain.receiver = .other
        chain.end += 2
        return file[chain.end - 1]?.kind == .number
      }
      chain.end += 2
      member(name, &chain)
    } else if token.isOpen("("), !token.followsLineBreak {
      chain.receiver = .other
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
      chain.receiver = file.receiver(ofType: type..<max(type, end), in: index)
      chain.end = max(end, type)
    } else if token.isSymbol("??") {
      let other = self.chain(at: chain.end + 1, depth: depth + 1)
      if case .record(nil) = chain.receiver, case .record = other.receiver {
        chain.receiver = .record(type: nil)
      }
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
    if KnownTypes.modules.contains(file.tokens[position].text), file.isSymbol(position + 1, "."),
      file.name(position + 2) != nil
    {
      position += 2
    }
    let name = file.tokens[position].text
    chain.end = position + 1
    let bound = binding(name)
    if name == "self" {
      if let type = currentType { chain.receiver = file.receiver(ofTypeNamed: type, in: index) }
      return
    }
    var open = position + 1
    if file.isSymbol(open, "."), file.isName(open + 1, "init") { open += 2 }
    let isCall = file.isOpen(open, "(") && !file.tokens[open].followsLineBreak
    if isCall, bound == nil, construct(name, open, &chain) { return }
    if let bound {
      chain.receiver = bound
    } else if isCall, open == position + 1 {
      chain.receiver = index.functions[name] ?? .other
      chain.end = file.after(open)
    }
  }

  private func subscripted(_ chain: inout Chain) {
    let open = chain.end
    let close = min(file.matches[open], file.tokens.count)
    chain.end = file.after(open)
    switch chain.receiver {
    case .record(let type), .encrypted(let type):
      var isEncrypted = false
      if case .encrypted = chain.receiver { isEncrypted = true }
      let parts = file.parts(of: open)
      if parts.count == 1, !file.isSymbol(parts[0].lowerBound + 1, ":") {
        chain.findings.append(
          .field(key(parts[0]), type: type, isEncrypted: isEncrypted, access(after: close)))
      }
      chain.receiver = .other
    case .records(let type):
      // A range gives several records; an index, one.
      let isRange =
        file.tokens[open..<close].contains { $0.kind == .symbol && $0.text == "." }
        && file.tokens[open..<close].contains { $0.isSymbol("<") }
      chain.receiver = isRange ? .other : .record(type: type)
    case .recordMap(let type): chain.receiver = .record(type: type)
    default: chain.receiver = .other
    }
  }

  /// Whether a subscript is assigned to.
  private func access(after close: Int) -> SourceUse.Access {
    guard let next = file[close + 1], next.kind == .symbol else { return .read }
    return ["=", "+=", "-=", "*=", "/="].contains(next.text) ? .write : .read
  }
}
