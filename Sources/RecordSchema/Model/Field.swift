import RecordModel

extension CloudSchema {
  /// A field of a record type.
  public struct Field: Sendable, Hashable {
    /// The name.
    @ExactText public var name: String
    /// The data type.
    public var type: FieldType
    /// The indexes of the field.
    public var options: IndexOptions
    /// The comments above and beside the field.
    package var comments = Comments()
    /// The location of the name and the type in the file.
    @EqualityIgnored package var origin: Origin? = nil

    /// Creates a field.
    public init(_ name: String, _ type: FieldType, _ options: IndexOptions = []) {
      self._name = ExactText(wrappedValue: name)
      self.type = type
      self.options = options
    }
  }

  /// A primitive data type, which can be used alone, in a list, or encrypted.
  public enum Primitive: String, Sendable, Hashable, CaseIterable {
    /// A file stored beside the record.
    case asset = "ASSET"
    /// Bytes stored in the record.
    case bytes = "BYTES"
    /// A 64-bit floating-point number.
    case double = "DOUBLE"
    /// A signed 64-bit integer.
    case int64 = "INT64"
    /// A geographic location.
    case location = "LOCATION"
    /// An integer or floating-point number, as the development environment creates it before the
    /// kind is known.
    case number = "NUMBER"
    /// A reference to another record.
    case reference = "REFERENCE"
    /// Text.
    case string = "STRING"
    /// A date and time.
    case timestamp = "TIMESTAMP"

    /// Whether the grammar allows `ENCRYPTED` before the type (Apple, text-schema grammar).
    package var canBeEncrypted: Bool {
      switch self {
      case .asset, .reference, .number: false
      case .bytes, .double, .int64, .location, .string, .timestamp: true
      }
    }
  }

  /// The preferred kind of number in a `NUMBER` field.
  public enum NumberPreference: String, Sendable, Hashable, CaseIterable {
    /// `PREFERRED AS INT64`
    case int64 = "INT64"
    /// `PREFERRED AS DOUBLE`
    case double = "DOUBLE"
  }

  /// The type of a field: a primitive, optionally encrypted, or a list of it.
  public struct FieldType: Sendable, Hashable, CustomStringConvertible {
    /// The primitive type of the value, or of the list's elements.
    public let primitive: Primitive
    /// Whether the type is `LIST<…>`.
    public let isList: Bool
    /// Whether the type is `ENCRYPTED`. Always false for references, assets and `NUMBER`.
    public let isEncrypted: Bool
    /// The preference of `PREFERRED AS …`. Always `nil` unless the type is `NUMBER`.
    public let numberPreference: NumberPreference?

    /// Creates a type. Ignores arguments that the grammar cannot express: encryption of a primitive
    /// that cannot be encrypted, and a preference on any type but `NUMBER`.
    public init(
      _ primitive: Primitive, isList: Bool = false, isEncrypted: Bool = false,
      numberPreference: NumberPreference? = nil
    ) {
      self.primitive = primitive
      self.isList = isList
      self.isEncrypted = isEncrypted && primitive.canBeEncrypted
      self.numberPreference = primitive == .number ? numberPreference : nil
    }

    /// `ASSET`
    public static let asset = FieldType(.asset)
    /// `BYTES`
    public static let bytes = FieldType(.bytes)
    /// `DOUBLE`
    public static let double = FieldType(.double)
    /// `INT64`
    public static let int64 = FieldType(.int64)
    /// `LOCATION`
    public static let location = FieldType(.location)
    /// `NUMBER`
    public static let number = FieldType(.number)
    /// `REFERENCE`
    public static let reference = FieldType(.reference)
    /// `STRING`
    public static let string = FieldType(.string)
    /// `TIMESTAMP`
    public static let timestamp = FieldType(.timestamp)

    /// Returns the type `LIST<…>` of a primitive.
    public static func list(of primitive: Primitive) -> FieldType {
      FieldType(primitive, isList: true)
    }
    /// Returns the type `ENCRYPTED …`, or the plain type if the primitive cannot be encrypted.
    public static func encrypted(_ primitive: Primitive) -> FieldType {
      FieldType(primitive, isEncrypted: true)
    }

    /// The type without `ENCRYPTED` and `PREFERRED AS`.
    package var shape: FieldType { FieldType(primitive, isList: isList) }

    /// The type in schema notation, such as `LIST<ENCRYPTED STRING>`.
    public var description: String {
      var text = (isEncrypted ? "ENCRYPTED " : "") + primitive.rawValue
      if let numberPreference { text += " PREFERRED AS " + numberPreference.rawValue }
      return isList ? "LIST<" + text + ">" : text
    }

    /// Returns whether a field of this type accepts values of another type: the same primitive and
    /// list-ness, or any number if the field is `NUMBER`. Ignores encryption.
    package func accepts(_ other: CloudSchema.FieldType) -> Bool {
      guard isList == other.isList else { return false }
      if primitive == other.primitive { return true }
      return primitive == .number && (other.primitive == .int64 || other.primitive == .double)
    }

    /// The type as in server messages, such as `ENCRYPTED_STRING` or `INT64_LIST` (`ENCRYPTED_…` is
    /// quoted in MistKit issue 392, `ASSETID` in Seam3 issue 18; `…_LIST` is how Web Services names
    /// lists).
    package var serverName: String {
      let name = primitive == .asset ? "ASSETID" : primitive.rawValue
      return (isEncrypted ? "ENCRYPTED_" : "") + name + (isList ? "_LIST" : "")
    }
  }
}

extension CloudSchema {
  /// The indexes of a field.
  public struct IndexOptions: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// The bits: 1 queryable, 2 searchable, 4 sortable.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `QUERYABLE`: the field can be used in predicates.
    public static let queryable = IndexOptions(rawValue: 1)
    /// `SEARCHABLE`: the field supports full-text search.
    public static let searchable = IndexOptions(rawValue: 2)
    /// `SORTABLE`: results can be sorted by the field.
    public static let sortable = IndexOptions(rawValue: 4)

    /// The options with their keywords, in the order of Apple's export form.
    static let keywords: [(option: IndexOptions, keyword: String)] = [
      (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
    ]

    /// The keywords of the set, in the order of Apple's export form.
    package var keywords: [String] {
      Self.keywords.filter { contains($0.option) }.map(\.keyword)
    }

    /// Returns the indexes of a field that the development server creates just in time: all that
    /// its type supports. Counted in the corpus: strings `QUERYABLE SEARCHABLE SORTABLE`, other
    /// scalars `QUERYABLE SORTABLE`, references, locations and lists `QUERYABLE`, string lists also
    /// `SEARCHABLE`; none on assets and encrypted fields.
    package static func justInTime(for type: FieldType) -> IndexOptions {
      if type.isEncrypted || type.primitive == .asset { return [] }
      switch (type.primitive, type.isList) {
      case (.string, false): return [.queryable, .searchable, .sortable]
      case (.string, true): return [.queryable, .searchable]
      case (_, true), (.reference, _), (.location, _): return .queryable
      default: return [.queryable, .sortable]
      }
    }

    /// The keywords separated by spaces, or an empty string for an empty set.
    public var description: String { keywords.joined(separator: " ") }
  }
}

extension SystemField {
  /// The fixed type of the field. A schema may omit the field; omitting one that had an index drops
  /// the index, so an omitted system field is equivalent to one without options.
  public var type: CloudSchema.FieldType {
    switch self {
    case .createTime, .modTime: .timestamp
    case .createdBy, .modifiedBy, .recordID: .reference
    case .etag: .string
    }
  }
}
