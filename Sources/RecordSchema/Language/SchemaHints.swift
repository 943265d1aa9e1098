/// Hints for terms of other languages and for typos.
enum SchemaHints {
  /// Type names of other languages, with CloudKit's equivalents.
  private static let types: [String: String] = [
    "BOOL": "INT64 with 0 and 1", "BOOLEAN": "INT64 with 0 and 1", "INT": "INT64",
    "INTEGER": "INT64", "INT32": "INT64", "LONG": "INT64", "BIGINT": "INT64",
    "FLOAT": "DOUBLE", "REAL": "DOUBLE", "DECIMAL": "DOUBLE or STRING", "TEXT": "STRING",
    "VARCHAR": "STRING", "CHAR": "STRING", "UUID": "STRING", "URL": "STRING", "JSON": "STRING",
    "ENUM": "STRING or INT64", "DATE": "TIMESTAMP", "DATETIME": "TIMESTAMP", "TIME": "TIMESTAMP",
    "DATA": "BYTES", "BLOB": "BYTES", "BINARY": "BYTES", "BYTE": "BYTES", "FILE": "ASSET",
    "IMAGE": "ASSET", "REF": "REFERENCE", "GEOPOINT": "LOCATION", "POINT": "LOCATION",
    "ARRAY": "LIST<…>", "SET": "LIST<…>",
  ]

  static func type(similarTo found: String) -> String? {
    let word = found.uppercased()
    if let type = types[word] { return "CloudKit's equivalent is \(type)" }
    if word == "[" { return "a list is written LIST<STRING>" }
    return nearest(
      to: word, among: CloudSchema.Primitive.allCases.map(\.rawValue) + ["LIST", "ENCRYPTED"])
  }

  static func option(similarTo found: String) -> String? {
    nearest(to: found.uppercased(), among: ["QUERYABLE", "SEARCHABLE", "SORTABLE"])
  }

  static func permission(similarTo found: String) -> String? {
    switch found.uppercased() {
    case "DELETE", "UPDATE", "MODIFY": "WRITE includes modifying and deleting"
    case "ALL": "write READ, CREATE, WRITE"
    default: nearest(to: found.uppercased(), among: ["READ", "CREATE", "WRITE"])
    }
  }

  /// Returns a hint for words that cannot follow a type.
  static func afterType(_ found: String) -> String? {
    switch found.uppercased() {
    case "ENCRYPTED": "write ENCRYPTED before the type: ENCRYPTED STRING"
    case "NOT", "NULL", "REQUIRED", "OPTIONAL", "DEFAULT":
      "every field is optional in CloudKit; leave it out"
    case "UNIQUE", "PRIMARY", "KEY":
      "CloudKit has no unique fields; only the record name is unique"
    case "INDEX", "INDEXED": "CloudKit's indexes are QUERYABLE, SEARCHABLE and SORTABLE"
    case "PREFERRED": "only NUMBER has a preference: NUMBER PREFERRED AS INT64"
    default: nil
    }
  }

  static func statement(beginningWith found: String, _ next: String) -> String? {
    switch found.uppercased() {
    case "DEFINE" where next.uppercased() == "SCHEMA":
      "a file contains one schema; were two files concatenated?"
    case "DEFINE" where next.uppercased() == "RECORD": "write RECORD TYPE without DEFINE"
    case "DEFINE": "an index is an option after the field's type: QUERYABLE, SEARCHABLE, SORTABLE"
    case "CREATE": "CREATE is only for roles; a record type begins with RECORD TYPE"
    case "TYPE": "a record type begins with RECORD TYPE"
    case "INDEX": "an index is an option after the field's type"
    case "GRANT": "a GRANT must be inside the parentheses of its record type"
    case "ROLE": "a role is created by CREATE ROLE"
    default: nil
    }
  }

  static func foreignFile(beginningWith found: String) -> String {
    switch found {
    case "import", "struct", "class", "enum", "let", "func", "extension", "public", "final":
      return "this looks like Swift source; a schema is what 'cktool export-schema' writes"
    case "{", "[": return "this looks like JSON; a schema is what 'cktool export-schema' writes"
    case "<": return "this looks like XML or HTML; was an error page saved instead of the schema?"
    default: return "a schema is what 'cktool export-schema' or the CloudKit Console writes"
    }
  }

  /// Returns a "did you mean" hint for a word at most two edits away.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    guard (2...16).contains(word.utf8.count) else { return nil }
    return NearNames.nearest(to: word, among: candidates, maxEdits: 2).map { "did you mean \($0)?" }
  }
}
