import RecordSchema

/// The members of CloudKit's types.
extension UseScanner {
  func member(_ name: String, _ chain: inout Chain) {
    let open = file.isOpen(chain.end, "(") ? chain.end : nil
    let type = chain.type
    chain.type = .other
    switch type.kind {
    case .record where name == "encryptedValues": chain.type = type.with(.encrypted)
    case .record, .encrypted: recordMember(name, type, open, &chain)
    case .results: resultsMember(name, type, open, &chain)
    case .database: databaseMethod(name, open, &chain)
    case .query: if name == "sortDescriptors" { sortKeys(type.recordType, &chain) }
    case .operation:
      if name == "desiredKeys", file.isSymbol(chain.end, "=") {
        desiredKeys(from: chain.end + 1, type.recordType, &chain)
      }
      block(name, type, &chain)
    case .instance(let typeName):
      chain.type = index.properties[typeName]?[name] ?? .other
      if let open {
        chain.type = index.functions[name] ?? .other
        chain.end = file.after(open)
      }
    case .records, .recordMap, .result, .queryResults:
      guard let member = KnownNames.members[type.kind]?[name] else { return }
      chain.type = type.with(member.type)
      takesClosure(member.closure.map(type.with), open, &chain)
    case .predicate, .text, .other:
      if KnownNames.databases.contains(name) {
        chain.type = ExpressionType(.database)
      } else if name == "database", let open, file.isName(open + 1, "with") {
        chain.type = ExpressionType(.database)
        chain.end = file.after(open)
      } else {
        block(name, type, &chain)
      }
    }
  }

  /// Reads a block of an operation.
  private func block(_ name: String, _ type: ExpressionType, _ chain: inout Chain) {
    guard file.isSymbol(chain.end, "="), file.isOpen(chain.end + 1, "{"),
      let parameters = KnownNames.blocks[name]
    else { return }
    chain.findings.append(.closure(brace: chain.end + 1, parameters.map(type.with)))
  }

  // MARK: - Records

  /// Reads a member of the record that an extension of its type names without `self`.
  func ownMember(_ name: String, _ chain: inout Chain) -> Bool {
    guard let type = currentType.map({ file.type(named: $0, in: index) }), type.kind == .record
    else {
      return false
    }
    if name == "encryptedValues" {
      chain.type = type.with(.encrypted)
      return true
    }
    guard file.isOpen(chain.end, "("),
      file.arguments(of: chain.end).contains(where: { $0.label == "forKey" })
    else { return false }
    recordMember(name, type, chain.end, &chain)
    return true
  }

  private func recordMember(
    _ name: String, _ type: ExpressionType, _ open: Int?, _ chain: inout Chain
  ) {
    guard let open else { return }
    let arguments = file.arguments(of: open)
    var keyRange = arguments.first { $0.label == "forKey" }?.tokens
    var access = SourceUse.Access.read
    switch name {
    case "object": break
    case "value": if let first = arguments.first, first.label == nil { keyRange = first.tokens }
    case "setObject", "setValue": access = .write
    case "decode":
      if let first = arguments.first {
        codingKeys(of: first.tokens, type.recordType, .read, &chain)
      }
      return
    default: return
    }
    chain.end = file.after(open)
    guard let keyRange, !keyRange.isEmpty else { return }
    chain.findings.append(
      .field(
        key(keyRange), type: type.recordType, isEncrypted: type.kind == .encrypted, access))
  }

  /// The keys of a type that is decoded from a record or encoded into one, if it declares them.
  func codingKeys(
    of range: Range<Int>, _ type: String?, _ access: SourceUse.Access, _ chain: inout Chain
  ) {
    guard let name = file.name(range.lowerBound), let keys = index.codingKeys[name] else { return }
    for (property, key) in keys.sorted(by: { $0.key < $1.key }) {
      let wrapper = index.wrappers[name]?[property]
      // Other wrappers are those of the record's name, parent and system fields.
      let isField = wrapper == nil || wrapper == "Encrypted"
      guard isField || wrapper == "JSONBytes" || wrapper == "JSONString" else { continue }
      // A type without wrappers lists its encrypted fields elsewhere.
      chain.findings.append(
        .field(
          .name(key, token: range.lowerBound), type: type,
          isEncrypted: wrapper == "Encrypted" ? true : nil, access))
    }
  }

  // MARK: - Collections

  private func resultsMember(
    _ name: String, _ type: ExpressionType, _ open: Int?, _ chain: inout Chain
  ) {
    let brace = open.map { $0 + 1 } ?? chain.end
    guard name == "compactMap" || name == "map", file.isOpen(brace, "{") else { return }
    // `{ try? $0.1.get() }` gives the records.
    let body = file.tokens[(brace + 1)..<min(file.matches[brace], file.tokens.count)].map(\.text)
    if body.count < 10, body.suffix(7).elementsEqual(["$0", ".", "", ".", "get", "(", ")"]) {
      chain.type = type.with(.records)
    }
    chain.end = file.after(open ?? brace)
  }

  /// Notes the parameters of a closure in the arguments, or of a trailing one.
  private func takesClosure(_ parameters: [ExpressionType], _ open: Int?, _ chain: inout Chain) {
    chain.closure = parameters
    guard let open else { return }
    for argument in file.arguments(of: open) where file.isOpen(argument.tokens.lowerBound, "{") {
      chain.findings.append(.closure(brace: argument.tokens.lowerBound, parameters))
    }
    chain.end = file.after(open)
  }

  // MARK: - Databases

  private func databaseMethod(_ name: String, _ open: Int?, _ chain: inout Chain) {
    guard let open else { return }
    let arguments = file.arguments(of: open)
    let first = arguments.first
    guard let method = KnownNames.databaseMethods["\(name)(\(first?.label ?? "")"] else { return }
    let argument = first.map { self.type(at: $0.tokens.lowerBound) } ?? .other
    if name == "save", argument.kind != .record { return }
    let isTyped = argument.kind == .record || argument.kind == .query
    let found = ExpressionType(.database, of: isTyped ? argument.recordType : nil)
    takesClosure(method.closure.map(found.with), open, &chain)
    chain.type = found.with(method.type)
    if let keys = arguments.first(where: { $0.label == "desiredKeys" }) {
      desiredKeys(from: keys.tokens.lowerBound, found.recordType, &chain)
    }
  }
}
