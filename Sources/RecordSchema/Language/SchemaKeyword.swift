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

  private static let byLetters = Dictionary(
    uniqueKeysWithValues: allCases.map { (letters(of: Array($0.rawValue.utf8)[...]), $0) })

  /// As many bytes as a 128-bit word holds beside a first 1, which tells apart texts of different
  /// lengths. The longest keyword has ten.
  private static let maxLength = 15

  /// Returns up to ``maxLength`` bytes as one number.
  private static func letters(of bytes: ArraySlice<UInt8>) -> UInt128 {
    var letters: UInt128 = 1
    for byte in bytes { letters = letters &<< 8 | UInt128(byte) }
    return letters
  }

  /// Returns the keyword that the bytes spell in any case, and whether all letters are upper case.
  static func match(_ bytes: ArraySlice<UInt8>) -> (keyword: SchemaKeyword, isExact: Bool)? {
    guard bytes.count <= maxLength else { return nil }
    var upper: UInt128 = 1
    var isExact = true
    for byte in bytes {
      let isLower = 0x61...0x7A ~= byte
      if isLower { isExact = false }
      upper = upper &<< 8 | UInt128(isLower ? byte &- 0x20 : byte)
    }
    return byLetters[upper].map { ($0, isExact) }
  }
}
