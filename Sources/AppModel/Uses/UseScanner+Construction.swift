import RecordSchema

/// Initializers of records, queries and predicates, and the keys in them.
extension UseScanner {
  /// Reads the initializer of a known type.
  func construct(_ name: String, _ open: Int, _ chain: inout Chain) -> Bool {
    let known = file.type(named: name, in: index)
    let arguments = file.arguments(of: open)
    switch known.kind {
    case .record:
      let type = recordType(arguments, .write, &chain)
      if let value = arguments.first(where: { $0.label == "encoding" }) {
        codingKeys(of: value.tokens, type, .write, &chain)
      }
      chain.type = ExpressionType(.record, of: type)
    case .query:
      chain.type = ExpressionType(.query, of: query(arguments, &chain))
    case .operation:
      let query = arguments.first { $0.label == "query" }
      let queried = query.map { type(at: $0.tokens.lowerBound) } ?? .other
      chain.type = ExpressionType(
        .operation, of: queried.kind == .query ? queried.recordType : nil)
    case .instance: chain.type = known
    default:
      switch name {
      case "CKQuerySubscription":
        _ = query(arguments, &chain)
        chain.type = .other
      case "CKShare" where ["rootRecord", "recordZoneID"].contains(arguments.first?.label):
        chain.findings.append(.type(.name("cloudkit.share", token: open - 1), .write))
        chain.type = .other
      case "NSPredicate", "NSCompoundPredicate":
        chain.type = ExpressionType(.predicate(formats: formats(arguments)))
      default: return false
      }
    }
    chain.end = file.after(open)
    return true
  }

  /// Whether `.init(` begins at a token, without a type before it.
  func isImplicitInit(at period: Int) -> Bool {
    guard file.isSymbol(period, "."), file.isName(period + 1, "init"), file.isOpen(period + 2, "(")
    else { return false }
    guard let previous = file[period - 1], previous.endsOperand else { return true }
    // `a ? .init(…) : b`
    return previous.isSymbol("?") && previous.offset + 1 != file.tokens[period].offset
  }

  /// Reads `.init(…)`. Without a declared type, the label `recordType` tells one of CloudKit, unless the
  /// app has types with this label.
  func constructImplicitly(_ chain: inout Chain) {
    let period = chain.end
    let open = period + 2
    chain.end = file.after(open)
    if let name = implicitTypes[period] {
      _ = construct(name, open, &chain)
      return
    }
    let labels = file.arguments(of: open).map(\.label)
    guard labels.contains("recordType") else { return }
    if index.hasOwnRecordTypes {
      chain.findings.append(.type(.computed(token: period + 1), .read))
    } else {
      _ = construct(labels.contains("predicate") ? "CKQuery" : "CKRecord", open, &chain)
    }
  }

  private func recordType(
    _ arguments: [SourceFile.Argument], _ access: SourceUse.Access, _ chain: inout Chain
  ) -> String? {
    guard let argument = arguments.first(where: { $0.label == "recordType" }),
      !argument.tokens.isEmpty
    else { return nil }
    let key = key(argument.tokens)
    chain.findings.append(.type(key, access))
    if case .name(let name, _) = key { return name }
    return nil
  }

  /// Reads the record type and the predicate of a query or subscription.
  private func query(_ arguments: [SourceFile.Argument], _ chain: inout Chain) -> String? {
    let type = recordType(arguments, .query, &chain)
    guard let predicate = arguments.first(where: { $0.label == "predicate" }) else { return type }
    guard let formats = formats(predicate.tokens) else {
      let key = SourceKey.computed(token: predicate.tokens.lowerBound)
      chain.findings.append(.field(key, type: type, isEncrypted: nil, .query))
      return type
    }
    for format in formats { chain.findings.append(.predicate(format: format, type: type)) }
    return type
  }

  /// How deep predicates of predicates are followed.
  private static let maxPredicates = 8

  /// Returns the literals of a predicate, which is an expression or a format; nil if it has other parts.
  private func formats(_ range: Range<Int>, _ depth: Int = 0) -> [Int]? {
    let start = range.lowerBound
    if file[start]?.kind == .string {
      // `"a = %@ AND " + "b = %@"`
      let isWhole = range.enumerated().allSatisfy { offset, token in
        offset % 2 == 0
          ? file[token].map { $0.kind == .string && $0.isPlain } ?? false
          : file.isSymbol(token, "+")
      }
      return isWhole ? Array(stride(from: start, to: range.upperBound, by: 2)) : nil
    }
    if file.isSymbol(start, "."), file.isName(start + 1, "init"), file.isOpen(start + 2, "(") {
      return formats(file.arguments(of: start + 2), depth + 1)
    }
    if file.isOpen(start + 1, "(") {
      let name = file.name(start)
      guard name == "NSPredicate" || name == "NSCompoundPredicate" else { return nil }
      return formats(file.arguments(of: start + 1), depth + 1)
    }
    // A name: `predicate` or `self.predicate`.
    guard range.count <= 3, case .predicate(let formats) = type(at: start).kind else { return nil }
    return formats
  }

  /// Returns the literals of a predicate that is created.
  private func formats(_ arguments: [SourceFile.Argument], _ depth: Int = 0) -> [Int]? {
    guard let first = arguments.first, depth < Self.maxPredicates else { return nil }
    switch first.label {
    case "value": return []
    case "format", "notPredicateWithSubpredicate": return formats(first.tokens, depth)
    case "andPredicateWithSubpredicates", "orPredicateWithSubpredicates":
      guard file.isOpen(first.tokens.lowerBound, "[") else { return nil }
      var all: [Int] = []
      for part in file.parts(of: first.tokens.lowerBound) {
        guard let formats = formats(part, depth) else { return nil }
        all += formats
      }
      return all
    default: return nil
    }
  }

  /// Reports the fields that a predicate compares.
  mutating func use(predicate format: Int, ofType type: String?) {
    for name in PredicateFields.names(in: file.tokens[format].text) {
      if name == "%K" {
        count(computed: format)
      } else {
        use(
          key: .name(name, token: format), ofType: type, isEncrypted: nil, .query)
      }
    }
  }

  /// Reads `query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]`.
  func sortKeys(_ type: String?, _ chain: inout Chain) {
    guard file.isSymbol(chain.end, "=") else { return }
    for part in elements(from: chain.end + 1) {
      // `NSSortDescriptor(key:…)`, `CKLocationSortDescriptor(key:…)` or `.init(key:…)`
      let open = file.first(from: part.lowerBound, to: part.upperBound) { file.isOpen($0, "(") }
      let argument = open.flatMap { file.arguments(of: $0).first { $0.label == "key" } }
      let key = argument.map { self.key($0.tokens) } ?? SourceKey.computed(token: part.lowerBound)
      chain.findings.append(.field(key, type: type, isEncrypted: nil, .query))
    }
  }

  /// Reads an array literal of keys.
  func desiredKeys(from start: Int, _ type: String?, _ chain: inout Chain) {
    for part in elements(from: start) {
      chain.findings.append(.field(key(part), type: type, isEncrypted: nil, .read))
    }
  }

  /// The elements of an array literal; the first token of another expression; nothing for nil.
  private func elements(from start: Int) -> [Range<Int>] {
    if file.isOpen(start, "[") { return file.parts(of: start) }
    return file.isName(start, "nil") ? [] : [start..<(start + 1)]
  }
}

/// The fields that the format of a predicate compares.
enum PredicateFields {
  private static let comparators: Set<String> = [
    "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "BEGINSWITH", "CONTAINS", "ENDSWITH",
    "LIKE", "MATCHES", "IN", "BETWEEN", "TOKENMATCHES",
  ]

  /// The names before a comparator, each once; `%K` for a field that an argument names.
  static func names(in format: String) -> [String] {
    let words = words(of: Array(format.utf8))
    var names: [String] = []
    func add(_ word: String?) {
      guard let word, isField(word), !names.contains(word) else { return }
      names.append(word)
    }
    for (index, word) in words.enumerated() {
      if comparators.contains(word.uppercased()), index > 0 {
        // The field can also come last: `%@ IN tags`.
        let isReversed = isValue(words[index - 1])
        add(isReversed ? words.dropFirst(index + 1).first : words[index - 1])
      } else if word == "fromLocation", words.dropFirst(index + 2).first == "(" {
        add(words.dropFirst(index + 3).first)
      }
    }
    return names
  }

  private static func isField(_ word: String) -> Bool {
    guard word == "%K" || word.utf8.first.map(isLetter) ?? false, !isValue(word) else {
      return false
    }
    return !comparators.contains(word.uppercased()) && word.uppercased() != "SELF"
      && !word.contains(".")
  }

  /// Whether a word is an argument, a number, a quoted text or a constant.
  private static func isValue(_ word: String) -> Bool {
    if ["NIL", "NULL", "TRUE", "FALSE", "YES", "NO"].contains(word.uppercased()) { return true }
    guard let first = word.utf8.first, word != "%K" else { return false }
    // The last word of `%@` is `@`.
    return ["%", "@", "'", "\""].map { UInt8(ascii: $0) }.contains(first)
      || (0x30...0x39).contains(first)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    SwiftLexer.isWord(byte) && !(0x30...0x39).contains(byte) && byte != UInt8(ascii: "$")
  }

  /// Splits a format into names, operators and other characters. Quoted text is one word.
  private static func words(of bytes: [UInt8]) -> [String] {
    var words: [String] = []
    var index = 0
    while index < bytes.count {
      let start = index
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0...0x20: continue
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        while index < bytes.count, bytes[index] != byte { index += 1 }
        index = min(index + 1, bytes.count)
      case UInt8(ascii: "["):
        // The options of a comparator, as in `CONTAINS[cd]`.
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
        index = min(index + 1, bytes.count)
        continue
      case _ where byte == UInt8(ascii: "%") || SwiftLexer.isWord(byte):
        while index < bytes.count, SwiftLexer.isWord(bytes[index]) || bytes[index] == 0x2E {
          index += 1
        }
      case _ where SwiftLexer.isOperator(byte):
        while index < bytes.count, bytes[index] != UInt8(ascii: "%"),
          SwiftLexer.isOperator(bytes[index])
        {
          index += 1
        }
      default: break
      }
      words.append(String(decoding: bytes[start..<index], as: UTF8.self))
    }
    return words
  }
}
