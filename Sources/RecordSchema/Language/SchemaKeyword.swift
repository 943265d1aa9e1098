/// The keywords of the schema language.
enum SchemaKeyword: String, CaseIterable {
  case define = "DEFINE"
  case schema = "SCHEMA"
  case create = "CREATE"
  case role = "ROLE"
  case record = "RECORD"
  case type = "TYPE"
  case grant = "GRANT"
  case read = "READ"
  case write = "WRITE"
  case to = "TO"
  case queryable = "QUERYABLE"
  case sortable = "SORTABLE"
  case searchable = "SEARCHABLE"
  case list = "LIST"
  case encrypted = "ENCRYPTED"
  case preferred = "PREFERRED"
  case `as` = "AS"
  case asset = "ASSET"
  case bytes = "BYTES"
  case double = "DOUBLE"
  case int64 = "INT64"
  case location = "LOCATION"
  case number = "NUMBER"
  case reference = "REFERENCE"
  case string = "STRING"
  case timestamp = "TIMESTAMP"

  var primitive: CloudSchema.Primitive? { CloudSchema.Primitive(rawValue: rawValue) }

  var option: CloudSchema.IndexOptions? {
    CloudSchema.IndexOptions.keywords.first { $0.keyword == rawValue }?.option
  }

  var permission: CloudSchema.Permissions? {
    CloudSchema.Permissions.keywords.first { $0.keyword == rawValue }?.permission
  }

  /// Whether a data type can begin with the keyword.
  var startsType: Bool { primitive != nil || self == .list || self == .encrypted }

  /// The keywords as bytes, grouped by length for fast comparison.
  private static let byLength: [[(bytes: [UInt8], keyword: SchemaKeyword)]] = {
    var table = Array(repeating: [(bytes: [UInt8], keyword: SchemaKeyword)](), count: 11)
    for keyword in allCases {
      table[keyword.rawValue.utf8.count].append((Array(keyword.rawValue.utf8), keyword))
    }
    return table
  }()

  /// Returns the keyword that the bytes spell in any case, and whether all letters are upper case.
  static func match(_ bytes: ArraySlice<UInt8>) -> (keyword: SchemaKeyword, isExact: Bool)? {
    guard bytes.count < byLength.count else { return nil }
    candidates: for candidate in byLength[bytes.count] {
      var isExact = true
      for (byte, expected) in zip(bytes, candidate.bytes) where byte != expected {
        guard byte == expected | 0x20, SchemaNames.isASCIILetter(byte) else { continue candidates }
        isExact = false
      }
      return (candidate.keyword, isExact)
    }
    return nil
  }
}
