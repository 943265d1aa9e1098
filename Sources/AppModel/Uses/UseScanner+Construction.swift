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
      case "NSPredicate" where arguments.first?.label == "format":
        let literal = arguments[0].tokens.lowerBound
        let isPlain = file[literal].map { $0.kind == .string && $0.isPlain } ?? false
        let isWhole = arguments[0].tokens.count == 1
        chain.type = ExpressionType(.predicate(format: isPlain && isWhole ? literal : nil))
      default: return false
      }
    }
    chain.end = file.after(open)
    return true
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
    guard let predicate = arguments.first(where: { $0.label == "predicate" }),
      let first = file[predicate.tokens.lowerBound]
    else { return type }
    if first.kind == .string, first.isPlain {
      chain.findings.append(.predicate(format: predicate.tokens.lowerBound, type: type))
    } else if case .predicate(let format?) = self.type(at: predicate.tokens.lowerBound).kind {
      chain.findings.append(.predicate(format: format, type: type))
    }
    return type
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
    guard file.isSymbol(chain.end, "="), file.isOpen(chain.end + 1, "[") else { return }
    for part in file.parts(of: chain.end + 1) {
      guard file.isName(part.lowerBound, "NSSortDescriptor"), file.isOpen(part.lowerBound + 1, "("),
        let argument = file.arguments(of: part.lowerBound + 1).first(where: { $0.label == "key" })
      else { continue }
      chain.findings.append(.field(key(argument.tokens), type: type, isEncrypted: nil, .query))
    }
  }

  /// Reads an array literal of keys.
  func desiredKeys(from start: Int, _ type: String?, _ chain: inout Chain) {
    guard file.isOpen(start, "[") else { return }
    for part in file.parts(of: start) {
      chain.findings.append(.field(key(part), type: type, isEncrypted: nil, .read))
    }
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
