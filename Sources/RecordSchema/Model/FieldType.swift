extension Schema {
  /// A data type of the language that stands alone, in a list, or encrypted.
  public enum Primitive: String, Sendable, Hashable, CaseIterable {
    /// A file beside the record.
    case asset = "ASSET"
    /// Bytes in the record.
    case bytes = "BYTES"
    /// A 64-bit floating-point number.
    case double = "DOUBLE"
    /// A signed 64-bit integer.
    case int64 = "INT64"
    /// A place on earth.
    case location = "LOCATION"
    /// A number of either kind: what development makes of a number before it knows better.
    case number = "NUMBER"
    /// A pointer to another record.
    case reference = "REFERENCE"
    /// Text.
    case string = "STRING"
    /// A date with time.
    case timestamp = "TIMESTAMP"

    /// Whether the grammar has `ENCRYPTED` before it (Apple, text-schema grammar).
    public var canBeEncrypted: Bool {
      switch self {
      case .asset, .reference, .number: false
      case .bytes, .double, .int64, .location, .string, .timestamp: true
      }
    }
  }

  /// The kind of number that a `NUMBER` field prefers.
  public enum NumberPreference: String, Sendable, Hashable, CaseIterable {
    /// `PREFERRED AS INT64`
    case int64 = "INT64"
    /// `PREFERRED AS DOUBLE`
    case double = "DOUBLE"
  }

  /// The full type of a field: a primitive, perhaps encrypted, perhaps a list of it.
  public struct FieldType: Sendable, Hashable {
    /// What a value, or an element of the list, is.
    public let primitive: Primitive
    /// `LIST<…>`
    public let isList: Bool
    /// `ENCRYPTED`; always false where ``Primitive/canBeEncrypted`` is false.
    public let isEncrypted: Bool
    /// `PREFERRED AS …`; always nil on anything but `NUMBER`.
    public let numberPreference: NumberPreference?

    /// Makes a type. What the grammar cannot say is left out: encryption on a primitive that cannot
    /// be encrypted, a preference on anything but `NUMBER`.
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

    /// `LIST<…>` of a primitive.
    public static func list(of primitive: Primitive) -> FieldType {
      FieldType(primitive, isList: true)
    }
    /// `ENCRYPTED …` of a primitive that can be encrypted; the plain type of one that cannot.
    public static func encrypted(_ primitive: Primitive) -> FieldType {
      FieldType(primitive, isEncrypted: true)
    }

    /// The same type without `ENCRYPTED` and `PREFERRED AS`: what is left is the shape of its values.
    public var shape: FieldType { FieldType(primitive, isList: isList) }
  }
}

extension Schema.FieldType: CustomStringConvertible {
  /// The type as the language writes it, such as `LIST<ENCRYPTED STRING>`.
  public var description: String {
    var text = (isEncrypted ? "ENCRYPTED " : "") + primitive.rawValue
    if let numberPreference { text += " PREFERRED AS " + numberPreference.rawValue }
    return isList ? "LIST<" + text + ">" : text
  }
}
