extension CloudSchema {
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
    public var canBeEncrypted: Bool {
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
  public struct FieldType: Sendable, Hashable {
    /// The primitive type of the value, or of the list's elements.
    public let primitive: Primitive
    /// Whether the type is `LIST<…>`.
    public let isList: Bool
    /// Whether the type is `ENCRYPTED`. Always false if ``Primitive/canBeEncrypted`` is false.
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
    public var shape: FieldType { FieldType(primitive, isList: isList) }
  }
}

extension CloudSchema.FieldType: CustomStringConvertible {
  /// The type in schema notation, such as `LIST<ENCRYPTED STRING>`.
  public var description: String {
    var text = (isEncrypted ? "ENCRYPTED " : "") + primitive.rawValue
    if let numberPreference { text += " PREFERRED AS " + numberPreference.rawValue }
    return isList ? "LIST<" + text + ">" : text
  }
}
