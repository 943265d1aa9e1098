import RecordSchema

/// The members of CloudKit's types.
extension UseScanner {
  func member(_ name: String, _ chain: inout Chain) {
    let open = file.isOpen(chain.end, "(") ? chain.end : nil
    switch chain.receiver {
    case .record(let type):
      if name == "encryptedValues" {
        chain.receiver = .encrypted(type: type)
      } else {
        recordMember(name, type, isEncrypted: false, open, &chain)
      }
    case .encrypted(let type): recordMember(name, type, isEncrypted: true, open, &chain)
    case .records(let type): collectionMember(name, type, open, &chain)
    case .recordMap(let type): chain.receiver = name == "values" ? .records(type: type) : .other
    case .result(let type):
      chain.receiver = name == "get" ? .record(type: type) : .other
      if let open { chain.end = file.after(open) }
    case .results(let type): resultsMember(name, type, open, &chain)
    case .queryResults(let type):
      chain.receiver = name == "matchResults" ? .results(type: type) : .other
    case .database: databaseMember(name, open, &chain)
    case .query(let type):
      chain.receiver = .other
      if name == "sortDescriptors" { sortKeys(type, &chain) }
    case .operation(let type):
      chain.receiver = .other
      if name == "desiredKeys" { desiredKeys(from: chain.end + 1, type, &chain) }
      block(name, type, &chain)
    case .instance(let type):
      chain.receiver = index.properties[type]?[name] ?? .other
      if let open {
        chain.receiver = index.functions[name] ?? .other
        chain.end = file.after(open)
      }
    case .predicate, .text, .other:
      chain.receiver = .other
      otherMember(name, open, &chain)
    }
  }

  private func otherMember(_ name: String, _ open: Int?, _ chain: inout Chain) {
    switch name {
    case "privateCloudDatabase", "publicCloudDatabase", "sharedCloudDatabase":
      chain.receiver = .database
    case "database":
      if let open, file.isName(open + 1, "with") {
        chain.receiver = .database
        chain.end = file.after(open)
      }
    default: block(name, nil, &chain)
    }
  }

  /// The blocks of operations: what their parameters are.
  private func block(_ name: String, _ type: String?, _ chain: inout Chain) {
    guard file.isSymbol(chain.end, "="), file.isOpen(chain.end + 1, "{") else { return }
    let receivers: [Receiver]? =
      switch name {
      case "recordFetchedBlock", "recordChangedBlock", "perRecordCompletionBlock":
        [.record(type: type), .other, .other]
      case "recordMatchedBlock", "recordWasChangedBlock", "perRecordResultBlock",
        "perRecordSaveBlock":
        [.other, .result(type: type)]
      case "fetchRecordsCompletionBlock": [.recordMap(type: type), .other]
      case "modifyRecordsCompletionBlock": [.records(type: type), .other, .other]
      default: nil
      }
    if let receivers { chain.findings.append(.closure(brace: chain.end + 1, receivers)) }
  }

  // MARK: - Records

  private func recordMember(
    _ name: String, _ type: String?, isEncrypted: Bool, _ open: Int?, _ chain: inout Chain
  ) {
    chain.receiver = .other
    guard let open else { return }
    let arguments = file.arguments(of: open)
    var keyRange = arguments.first { $0.label == "forKey" }?.tokens
    var access = SourceUse.Access.read
    switch name {
    case "object": break
    case "value": if let first = arguments.first, first.label == nil { keyRange = first.tokens }
    case "setObject", "setValue": access = .write
    case "decode":
      if let first = arguments.first { codingKeys(of: first.tokens, type, .read, &chain) }
      return
    default: return
    }
    chain.end = file.after(open)
    guard let keyRange, !keyRange.isEmpty else { return }
    chain.findings.append(
      .field(key(keyRange), type: type, isEncrypted: isEncrypted, access))
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
      // Which fields of a type without wrappers are encrypted, its own list says.
      chain.findings.append(
        .field(
          .name(key, token: range.lowerBound), type: type,
          isEncrypted: wrapper == "Encrypted" ? true : nil, access))
    }
  }

  // MARK: - Collections

  private func collectionMember(
    _ name: String, _ type: String?, _ open: Int?, _ chain: inout Chain
  ) {
    let element = Receiver.record(type: type)
    chain.receiver = .other
    switch name {
    case "first", "last", "randomElement":
      chain.receiver = element
      takesClosure([element], open, &chain)
    case "filter", "prefix", "suffix", "dropFirst", "dropLast", "reversed", "shuffled", "lazy":
      chain.receiver = .records(type: type)
      takesClosure([element], open, &chain)
    case "sorted":
      chain.receiver = .records(type: type)
      takesClosure([element, element], open, &chain)
    case "map", "compactMap", "flatMap", "forEach", "contains", "allSatisfy", "firstIndex",
      "removeAll", "count":
      takesClosure([element], open, &chain)
    case "min", "max", "sort": takesClosure([element, element], open, &chain)
    default: break
    }
  }

  private func resultsMember(_ name: String, _ type: String?, _ open: Int?, _ chain: inout Chain) {
    chain.receiver = .other
    let brace = open.map { $0 + 1 } ?? chain.end
    guard name == "compactMap" || name == "map", file.isOpen(brace, "{") else { return }
    // `{ try? $0.1.get() }` gives the records.
    let body = file.tokens[(brace + 1)..<min(file.matches[brace], file.tokens.count)].map(\.text)
    if body.count < 10, body.suffix(7).elementsEqual(["$0", ".", "", ".", "get", "(", ")"]) {
      chain.receiver = .records(type: type)
    }
    chain.end = file.after(open ?? brace)
  }

  /// Tells a closure in the arguments, or a trailing one, what its parameters are.
  private func takesClosure(_ receivers: [Receiver], _ open: Int?, _ chain: inout Chain) {
    chain.closure = receivers
    guard let open else { return }
    for argument in file.arguments(of: open) where file.isOpen(argument.tokens.lowerBound, "{") {
      chain.findings.append(.closure(brace: argument.tokens.lowerBound, receivers))
    }
    chain.end = file.after(open)
  }

  // MARK: - Databases

  private func databaseMember(_ name: String, _ open: Int?, _ chain: inout Chain) {
    chain.receiver = .other
    guard let open else { return }
    let arguments = file.arguments(of: open)
    switch (name, arguments.first?.label) {
    case ("record", "for"):
      takesClosure([], open, &chain)
      chain.receiver = .record(type: nil)
    case ("save", nil):
      let saved = arguments.first.map { receiver(at: $0.tokens.lowerBound) } ?? .other
      guard case .record(let type) = saved else { return }
      takesClosure([.record(type: type), .other], open, &chain)
      chain.receiver = saved
    case ("fetch", "withRecordID"): takesClosure([.record(type: nil), .other], open, &chain)
    case ("perform", nil):
      let type = arguments.first.flatMap { queryType(at: $0.tokens.lowerBound) }
      takesClosure([.records(type: type), .other], open, &chain)
    case ("records", "for"):
      takesClosure([], open, &chain)
      chain.receiver = .results(type: nil)
    case ("records", "matching"):
      let type = arguments.first.flatMap { queryType(at: $0.tokens.lowerBound) }
      takesClosure([], open, &chain)
      chain.receiver = .queryResults(type: type)
      if let keys = arguments.first(where: { $0.label == "desiredKeys" }) {
        desiredKeys(from: keys.tokens.lowerBound, type, &chain)
      }
    default: break
    }
  }

  private func queryType(at position: Int) -> String? {
    if case .query(let type) = receiver(at: position) { type } else { nil }
  }
}
