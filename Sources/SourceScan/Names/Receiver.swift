/// What an expression is, as far as the scanner can tell. A record's type is `nil` if it is not
/// known.
enum Receiver: Hashable, Sendable {
  /// A `CKRecord`, `DraftRecord` or `ResultRecord`.
  case record(type: String?)
  /// The encrypted values of a record.
  case encrypted(type: String?)
  /// A collection of records.
  case records(type: String?)
  /// A dictionary with records as its values.
  case recordMap(type: String?)
  /// A `Result` with a record.
  case result(type: String?)
  /// The result of fetching several records: pairs or a dictionary with results.
  case results(type: String?)
  /// The result of a query: the results of its records, and a cursor.
  case queryResults(type: String?)
  /// A `CKDatabase`.
  case database
  /// A `CKQuery`.
  case query(type: String?)
  /// An operation of CloudKit.
  case operation(type: String?)
  /// A predicate, with the index of its format if that is a literal.
  case predicate(format: Int?)
  /// A constant string.
  case text(String)
  /// A value of a type that the scanned files declare.
  case instance(of: String)
  /// Anything else.
  case other

  /// The element of a collection.
  var element: Receiver {
    switch self {
    case .records(let type): .record(type: type)
    case .results(let type): .result(type: type)
    default: .other
    }
  }
}

/// The types of CloudKit and RecordPack that hold records.
enum KnownTypes {
  static let records: Set<String> = ["CKRecord"]
  static let recordPackRecords: Set<String> = ["DraftRecord", "ResultRecord"]
  static let queries: Set<String> = ["CKQuery"]
  static let recordPackQueries: Set<String> = ["RecordQuery"]
  static let databases: Set<String> = ["CKDatabase"]
  static let operations: Set<String> = [
    "CKQueryOperation", "CKFetchRecordsOperation", "CKModifyRecordsOperation",
    "CKFetchRecordZoneChangesOperation",
  ]
  static let modules: Set<String> = [
    "CloudKit", "RecordModel", "RecordPack", "Foundation", "Swift",
  ]
}

extension SourceFile {
  /// What a value of a type is.
  func receiver(ofType range: Range<Int>, in index: SourceIndex) -> Receiver {
    var parts = Array(tokens[range.clamped(to: 0..<tokens.count)])[...]
    while let first = parts.first, Self.typePrefixes.contains(first.text) || first.isSymbol("@") {
      parts = parts.dropFirst(first.isSymbol("@") ? 2 : 1)
    }
    while let last = parts.last, last.kind == .symbol, ["?", "!", "??"].contains(last.text) {
      parts.removeLast()
    }
    if parts.count > 2, KnownTypes.modules.contains(parts.first!.text),
      parts[parts.startIndex + 1].isSymbol(".")
    {
      parts = parts.dropFirst(2)
    }
    let texts = parts.map(\.text)
    switch texts.count {
    case 1: return receiver(ofTypeNamed: texts[0], in: index)
    case 3 where texts[0] == "[" && isRecord(texts[1], index): return .records(type: nil)
    case 4 where ["Array", "Set", "ArraySlice"].contains(texts[0]) && isRecord(texts[2], index):
      return .records(type: nil)
    case 4 where texts[0] == "Optional" && isRecord(texts[2], index): return .record(type: nil)
    default: break
    }
    if texts.first == "[", texts.last == "]", texts.count > 4, texts[texts.count - 3] == ":",
      isRecord(texts[texts.count - 2], index)
    {
      return .recordMap(type: nil)
    }
    if texts.first == "Result", texts.count > 3, isRecord(texts[2], index), texts[3] == "," {
      return .result(type: nil)
    }
    return .other
  }

  private func isRecord(_ name: String, _ index: SourceIndex) -> Bool {
    receiver(ofTypeNamed: name, in: index) == .record(type: nil)
  }

  /// What a value of a named type is. A type that the scanned files declare is not CloudKit's.
  func receiver(ofTypeNamed name: String, in index: SourceIndex) -> Receiver {
    if index.types.contains(name) { return .instance(of: name) }
    if KnownTypes.records.contains(name) { return .record(type: nil) }
    if KnownTypes.queries.contains(name) { return .query(type: nil) }
    if KnownTypes.databases.contains(name) { return .database }
    if KnownTypes.operations.contains(name) { return .operation(type: nil) }
    if importsRecordPack {
      if KnownTypes.recordPackRecords.contains(name) { return .record(type: nil) }
      if KnownTypes.recordPackQueries.contains(name) { return .query(type: nil) }
    }
    return .other
  }
}
