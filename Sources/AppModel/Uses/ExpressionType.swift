/// The type of an expression, as far as the scanner can tell.
struct ExpressionType: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A `CKRecord`, `DraftRecord` or `ResultRecord`.
    case record
    /// The encrypted values of a record.
    case encrypted
    /// A collection of records.
    case records
    /// A dictionary with records as its values.
    case recordMap
    /// A `Result` with a record.
    case result
    /// The result of fetching several records: pairs or a dictionary with results.
    case results
    /// The result of a query: the results of its records, and a cursor.
    case queryResults
    /// A `CKDatabase`.
    case database
    /// A `CKQuery`.
    case query
    /// An operation of CloudKit.
    case operation
    /// A predicate, with the indexes of its formats; nil if one is no literal.
    case predicate(formats: [Int]?)
    /// A constant string.
    case text(String)
    /// A value of a type that the scanned files declare.
    case instance(of: String)
    /// Anything else.
    case other
  }

  var kind: Kind
  /// The record type, if it is known.
  var recordType: String?

  init(_ kind: Kind, of recordType: String? = nil) {
    self.kind = kind
    self.recordType = recordType
  }

  static let other = ExpressionType(.other)

  /// The type of a parameter or result with the same record type.
  func with(_ kind: Kind) -> ExpressionType { kind == .other ? .other : Self(kind, of: recordType) }

  /// The element of a collection.
  var element: ExpressionType {
    switch kind {
    case .records: with(.record)
    case .results: with(.result)
    default: .other
    }
  }

  /// The second part of each element of a dictionary, or of pairs.
  var second: ExpressionType {
    switch kind {
    case .results: with(.result)
    case .recordMap: with(.record)
    default: .other
    }
  }
}

/// The types and members of CloudKit and RecordPack that hold records.
enum KnownNames {
  static let types: [String: ExpressionType.Kind] = [
    "CKRecord": .record, "CKQuery": .query, "CKDatabase": .database,
    "CKQueryOperation": .operation, "CKFetchRecordsOperation": .operation,
    "CKModifyRecordsOperation": .operation, "CKFetchRecordZoneChangesOperation": .operation,
  ]
  /// The types in files that import RecordPack.
  static let recordPackTypes: [String: ExpressionType.Kind] = [
    "DraftRecord": .record, "ResultRecord": .record, "RecordQuery": .query,
  ]
  static let modules: Set<String> = [
    "CloudKit", "RecordModel", "RecordPack", "Foundation", "Swift",
  ]
  static let databases: Set<String> = [
    "privateCloudDatabase", "publicCloudDatabase", "sharedCloudDatabase",
  ]

  /// A member of a type: its own type, and the parameters of the closure that it takes.
  struct Member {
    var type: ExpressionType.Kind = .other
    var closure: [ExpressionType.Kind] = []
  }

  static let members: [ExpressionType.Kind: [String: Member]] = [
    .records: collectionMembers, .recordMap: ["values": Member(type: .records)],
    .result: ["get": Member(type: .record)],
    .queryResults: ["matchResults": Member(type: .results)],
  ]

  private static let collectionMembers: [String: Member] = {
    let element = Member(type: .record, closure: [.record])
    let collection = Member(type: .records, closure: [.record])
    let other = Member(closure: [.record])
    var members: [String: Member] = [
      "sorted": Member(type: .records, closure: [.record, .record])
    ]
    for name in ["first", "last", "randomElement"] { members[name] = element }
    for name in [
      "filter", "prefix", "suffix", "dropFirst", "dropLast", "reversed", "shuffled", "lazy",
    ] {
      members[name] = collection
    }
    for name in [
      "map", "compactMap", "flatMap", "forEach", "contains", "allSatisfy", "firstIndex",
      "removeAll", "count",
    ] {
      members[name] = other
    }
    for name in ["min", "max", "sort"] { members[name] = Member(closure: [.record, .record]) }
    return members
  }()

  /// The parameters of the blocks of operations.
  static let blocks: [String: [ExpressionType.Kind]] = [
    "recordFetchedBlock": [.record, .other, .other],
    "recordChangedBlock": [.record, .other, .other],
    "perRecordCompletionBlock": [.record, .other, .other],
    "recordMatchedBlock": [.other, .result], "recordWasChangedBlock": [.other, .result],
    "perRecordResultBlock": [.other, .result], "perRecordSaveBlock": [.other, .result],
    "fetchRecordsCompletionBlock": [.recordMap, .other],
    "modifyRecordsCompletionBlock": [.records, .other, .other],
  ]

  /// The methods of a database, by name and first label. Their record type is that of the query or
  /// record in the first argument.
  static let databaseMethods: [String: Member] = [
    "record(for": Member(type: .record),
    "save(": Member(type: .record, closure: [.record, .other]),
    "fetch(withRecordID": Member(closure: [.record, .other]),
    "perform(": Member(closure: [.records, .other]), "records(for": Member(type: .results),
    "records(matching": Member(type: .queryResults),
  ]
}

extension SourceFile {
  /// The type of a value that is declared with a type.
  func type(declaredAs range: Range<Int>, in index: SourceIndex) -> ExpressionType {
    let texts = parts(ofType: range)
    switch texts.count {
    case 1: return type(named: texts[0], in: index)
    case 3 where texts[0] == "[" && isRecord(texts[1], index): return ExpressionType(.records)
    case 4 where ["Array", "Set", "ArraySlice"].contains(texts[0]) && isRecord(texts[2], index):
      return ExpressionType(.records)
    case 4 where texts[0] == "Optional" && isRecord(texts[2], index): return ExpressionType(.record)
    default: break
    }
    if texts.first == "[", texts.last == "]", texts.count > 4, texts[texts.count - 3] == ":",
      isRecord(texts[texts.count - 2], index)
    {
      return ExpressionType(.recordMap)
    }
    if texts.first == "Result", texts.count > 3, isRecord(texts[2], index), texts[3] == "," {
      return ExpressionType(.result)
    }
    return .other
  }

  /// The name of a type, also of an optional one; nil if it is not a name alone.
  func name(ofType range: Range<Int>) -> String? {
    let texts = parts(ofType: range)
    return texts.count == 1 ? texts[0] : nil
  }

  /// The words of a type without attributes, marks of optionals and a module.
  private func parts(ofType range: Range<Int>) -> [String] {
    var parts = Array(tokens[range.clamped(to: 0..<tokens.count)])[...]
    while let first = parts.first, Self.typePrefixes.contains(first.text) || first.isSymbol("@") {
      parts = parts.dropFirst(first.isSymbol("@") ? 2 : 1)
    }
    while let last = parts.last, last.kind == .symbol, ["?", "!", "??"].contains(last.text) {
      parts.removeLast()
    }
    if parts.count > 2, KnownNames.modules.contains(parts.first!.text),
      parts[parts.startIndex + 1].isSymbol(".")
    {
      parts = parts.dropFirst(2)
    }
    return parts.map(\.text)
  }

  private func isRecord(_ name: String, _ index: SourceIndex) -> Bool {
    type(named: name, in: index).kind == .record
  }

  /// The type with a name. A type that the scanned files declare is not CloudKit's.
  func type(named name: String, in index: SourceIndex) -> ExpressionType {
    if index.types.contains(name) { return ExpressionType(.instance(of: name)) }
    let recordPack = importsRecordPack ? KnownNames.recordPackTypes[name] : nil
    return ExpressionType(KnownNames.types[name] ?? recordPack ?? .other)
  }
}
