import RecordSchema

/// Finds the record types and fields that one file uses.
///
/// Walks over the tokens once, and keeps what the names in scope are. A name whose declaration is
/// not understood is bound to ``Receiver/other``, so that it hides those of the same name outside.
struct UseScanner {
  /// The names that a pair of braces encloses.
  struct Scope {
    var end: Int
    /// The declared type whose body it is.
    var type: String?
    var bindings: [String: Receiver] = [:]
    /// What a `switch` examines.
    var subject: Receiver = .other
  }

  let file: SourceFile
  let index: SourceIndex
  var scopes: [Scope]
  /// What is known of scopes before their opening brace is reached.
  var prepared: [Int: Scope] = [:]
  /// What the parameters of a closure are, by its opening brace.
  var closures: [Int: [Receiver]] = [:]
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
      let token = file.tokens[position]
      switch token.kind {
      case .open where token.text == "{": openScope(at: position)
      case .name:
        if file.isSymbol(position - 1, ".") { continue }
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
  private func bindClosure(at open: Int, _ receivers: [Receiver], in scope: inout Scope) {
    for (number, receiver) in receivers.enumerated() {
      scope.bindings["$\(number)"] = receiver
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
        parameter.type.map { file.receiver(ofType: $0, in: index) }
        ?? (receivers.indices.contains(number) ? receivers[number] : .other)
    }
  }

  // MARK: - Names

  /// How many enclosing scopes a name is looked up in.
  private static let maxScopes = 100

  /// What a name in scope is, or `nil` if it is not declared here.
  func binding(_ name: String) -> Receiver? {
    for scope in scopes.suffix(Self.maxScopes).reversed() {
      if let found = scope.bindings[name] { return found }
      if let type = scope.type, let found = index.properties[type]?[name] { return found }
    }
    return nil
  }

  /// The innermost declared type around the current position.
  var currentType: String? { scopes.suffix(Self.maxScopes).last { $0.type != nil }?.type }

  mutating func bind(_ name: String, _ receiver: Receiver) {
    scopes[scopes.count - 1].bindings[name] = receiver
  }

  /// Binds a name again that is assigned another record.
  private mutating func assign(at position: Int) {
    let name = file.tokens[position].text
    guard let number = scopes.suffix(Self.maxScopes).lastIndex(where: { $0.bindings[name] != nil }),
      case .record? = scopes[number].bindings[name]
    else { return }
    var value = receiver(at: position + 2)
    if case .record = value {} else { value = .record(type: nil) }
    // In a branch, the record may also be the former one.
    let isCertain = number == scopes.count - 1 || scopes[number].bindings[name] == value
    scopes[number].bindings[name] = isCertain ? value : .record(type: nil)
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
}
