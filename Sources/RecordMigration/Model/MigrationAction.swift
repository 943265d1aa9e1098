import RecordModel

/// The change that a step makes to a record.
public enum MigrationAction: Sendable {
  /// Renames the record type.
  case renameType(to: String)
  /// Merges several record types into one. The discriminator field, if any, stores the former type,
  /// which makes the step reversible.
  case mergeTypes(into: String, discriminator: String?)
  /// Leaves the records behind: they are not part of the result.
  case deleteType
  /// Leaves behind the records that match the condition.
  case leaveBehind
  /// Renames a field. The value does not fit if the new field already has one.
  case renameField(String, to: String)
  /// Adds a field to records that do not have it.
  case addField(String, FieldSource, type: ValueType? = nil, isEncrypted: Bool = false)
  /// Drops a field.
  case dropField(String)
  /// Converts a value to another type or unit.
  case convert(String, Conversion)
  /// Splits a string at a separator. The number of parts must equal the number of fields.
  case split(String, into: [String], separator: String)
  /// Joins the strings of several fields. Numbers and dates are converted to strings.
  case join([String], into: String, separator: String)
  /// Replaces values.
  case mapValues(String, ValueMap)
  /// Moves the value to the record's encrypted values.
  case encrypt(String)
  /// Moves the value from the record's encrypted values to the plain ones.
  case decrypt(String)
  /// Sets the parent to the record that a field references.
  case setParent(from: String, keepsField: Bool = true)
  /// Stores the parent as a reference in a field.
  case setReference(String, Reference.Action = .none, keepsParent: Bool = true)
  /// Removes the parent.
  case clearParent
  /// Moves the record to another zone. References to it are updated.
  case move(to: ZoneID, from: ZoneID? = nil)
  /// Renames the record to the value of an expression. References to it are updated.
  case renameRecords(RecordExpression, reverse: RecordExpression? = nil)
  /// Runs Swift code.
  case custom(CustomStep)

  /// The source of a new field's value.
  public enum FieldSource: Sendable, Hashable {
    /// A constant for all records.
    case constant(RecordValue)
    /// The value of another field. Nothing is added if that field has no value.
    case field(String)
    /// The value of an expression. Nothing is added if it is `null`.
    case expression(RecordExpression)

    /// The source as an expression, without sharing objects.
    var expression: ExpressionNode {
      switch self {
      case .constant(let value): .constant(.value(value))
      case .field(let name): .field(name)
      case .expression(let expression): expression.root.copied()
      }
    }
  }

  /// A mapping of values to replacements.
  public struct ValueMap: Sendable, Hashable {
    /// The treatment of a value that is not listed.
    public enum Otherwise: Sendable, Hashable {
      /// The value does not fit.
      case misfit
      /// The value is kept.
      case keep
      /// The value is replaced by this one.
      case value(RecordValue)
    }

    /// The replacement for each value. In a list, each element is replaced.
    public var values: [RecordValue: RecordValue]
    /// The treatment of values that are not listed.
    public var otherwise: Otherwise

    /// Creates a map.
    public init(_ values: [RecordValue: RecordValue], otherwise: Otherwise = .misfit) {
      self.values = values
      self.otherwise = otherwise
    }
  }

  /// A step written in Swift.
  public struct CustomStep: Sendable {
    /// Returns the results for a record: the changed record, none, or several.
    public typealias Body = @Sendable (DraftRecord) throws -> [DraftRecord]
    /// The name of the step in reports.
    public var name: String
    /// Whether the step may change names, zones or types, or the number of records.
    public var changesIdentity: Bool
    /// The code to run.
    public var body: Body
    /// The code that undoes the step, if any.
    public var inverse: Body?

    /// Creates a step from a closure.
    ///
    /// - Parameter body: The code to run. Called on several threads at the same time. Errors it
    ///   throws count as misfits.
    public init(
      _ name: String, changesIdentity: Bool = true, inverse: Body? = nil, body: @escaping Body
    ) {
      self.name = name
      self.changesIdentity = changesIdentity
      self.inverse = inverse
      self.body = body
    }
  }

  /// The name of the step in a plan.
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

  /// The field that the step changes or creates, if it is a single one.
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

  /// The new record type, if the step changes it.
  var newType: String? {
    switch self {
    case .renameType(let name), .mergeTypes(let name, _): name
    default: nil
    }
  }

  /// Whether the step has a single value that can be dropped or stored elsewhere if it does not
  /// fit.
  var hasValue: Bool {
    switch self {
    case .renameField, .convert, .split, .mapValues, .encrypt, .decrypt, .setParent: true
    default: false
    }
  }

  /// Whether records may get another name or zone, so that references to them must be updated.
  var changesIdentity: Bool {
    switch self {
    case .move, .renameRecords: true
    case .custom(let step): step.changesIdentity
    default: false
    }
  }
}
