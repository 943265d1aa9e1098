import RecordModel

/// What a step does with a record.
public enum MigrationAction: Sendable {
  /// The record type gets another name.
  case renameType(to: String)
  /// Records of several types become records of one; the former type's name is kept in a field,
  /// which is what makes it reversible.
  case mergeTypes(into: String, discriminator: String?)
  /// The records are left behind.
  case deleteType
  /// The records for which the condition holds are left behind.
  case leaveBehind
  /// A field gets another name; where one of that name is there already, the value does not fit.
  case renameField(String, to: String)
  /// A field that is not there gets a value.
  case addField(String, FieldSource, type: ValueType? = nil, isEncrypted: Bool = false)
  /// A field is dropped.
  case dropField(String)
  /// A value gets another type or unit.
  case convert(String, Conversion)
  /// A text is cut at a separator into as many parts as there are fields.
  case split(String, into: [String], separator: String)
  /// The texts of several fields become one; numbers and dates are written as text.
  case join([String], into: String, separator: String)
  /// Values are replaced by others.
  case mapValues(String, ValueMap)
  /// The value moves to the record's encrypted values.
  case encrypt(String)
  /// The value moves from the record's encrypted values to the plain ones.
  case decrypt(String)
  /// The record a field refers to becomes the parent.
  case setParent(from: String, keepsField: Bool = true)
  /// The parent becomes a field's reference.
  case setReference(String, Reference.Action = .none, keepsParent: Bool = true)
  /// The parent is taken away.
  case clearParent
  /// The record moves to another zone; references to it follow.
  case move(to: ZoneID, from: ZoneID? = nil)
  /// The record gets the name an expression gives; references to it follow.
  case renameRecords(RecordExpression, reverse: RecordExpression? = nil)
  /// Something only code can say.
  case custom(CustomStep)

  /// Where the value of a new field comes from.
  public enum FieldSource: Sendable, Hashable {
    /// The same for all records.
    case constant(RecordValue)
    /// Another field; nothing is added where that has no value.
    case field(String)
    /// An expression; nothing is added where it is `null`.
    case expression(RecordExpression)

    /// The source as an expression, in objects of its own.
    var expression: ExpressionNode {
      switch self {
      case .constant(let value): .constant(.value(value))
      case .field(let name): .field(name)
      case .expression(let expression): expression.root.copied()
      }
    }
  }

  /// What replaces what.
  public struct ValueMap: Sendable, Hashable {
    /// What happens to a value that is not listed.
    public enum Otherwise: Sendable, Hashable {
      /// It does not fit.
      case misfit
      /// It stays.
      case keep
      /// It becomes this.
      case value(RecordValue)
    }

    /// The new value of each old one. Of a list, each element is replaced.
    public var values: [RecordValue: RecordValue]
    /// What happens to a value that is not listed.
    public var otherwise: Otherwise

    /// Makes a map.
    public init(_ values: [RecordValue: RecordValue], otherwise: Otherwise = .misfit) {
      self.values = values
      self.otherwise = otherwise
    }
  }

  /// A step written in Swift.
  public struct CustomStep: Sendable {
    /// What becomes of a record: itself, changed; nothing; or several records.
    public typealias Body = @Sendable (DraftRecord) throws -> [DraftRecord]
    /// What reports call the step.
    public var name: String
    /// Whether names, zones or types may change, or records come and go.
    public var changesIdentity: Bool
    /// What is done.
    public var body: Body
    /// What undoes it.
    public var inverse: Body?

    /// Makes a step out of a closure.
    ///
    /// - Parameter body: is called on several threads at a time; what it throws is a misfit.
    public init(
      _ name: String, changesIdentity: Bool = true, inverse: Body? = nil, body: @escaping Body
    ) {
      self.name = name
      self.changesIdentity = changesIdentity
      self.inverse = inverse
      self.body = body
    }
  }

  /// The name in a plan.
  public var name: String {
    switch self {
    case .renameType: "rename-type"
    case .mergeTypes: "merge-types"
    case .deleteType: "delete-type"
    case .leaveBehind: "leave-behind"
    case .renameField: "rename-field"
    case .addField: "add-field"
    case .dropField: "drop-field"
    case .convert: "convert"
    case .split: "split"
    case .join: "join"
    case .mapValues: "map-values"
    case .encrypt: "encrypt"
    case .decrypt: "decrypt"
    case .setParent: "set-parent"
    case .setReference: "set-reference"
    case .clearParent: "clear-parent"
    case .move: "move"
    case .renameRecords: "rename-records"
    case .custom(let step): step.name
    }
  }

  /// The field the step is about.
  public var subject: String? {
    switch self {
    case .renameField(let name, _), .addField(let name, _, _, _), .dropField(let name),
      .convert(let name, _), .split(let name, _, _), .join(_, let name, _),
      .mapValues(let name, _), .encrypt(let name), .decrypt(let name), .setParent(let name, _),
      .setReference(let name, _, _):
      name
    default: nil
    }
  }

  /// The type that records get.
  var newType: String? {
    switch self {
    case .renameType(let name), .mergeTypes(let name, _): name
    default: nil
    }
  }

  /// Whether there is one value that can be dropped or kept elsewhere where it does not fit.
  var hasValue: Bool {
    switch self {
    case .renameField, .convert, .split, .mapValues, .encrypt, .decrypt, .setParent: true
    default: false
    }
  }

  /// Whether records may get another name or zone, so that references to them must follow.
  var changesIdentity: Bool {
    switch self {
    case .move, .renameRecords: true
    case .custom(let step): step.changesIdentity
    default: false
    }
  }
}
