import RecordModel
import RecordSchema

/// A step and the known types of the fields of its records, for finding errors in the plan: what no
/// record can fit, as opposed to misfits of single records.
struct StepCheck {
  let step: MigrationStep
  let fields: KnownFields
  /// The location of errors in steps that have no location of their own.
  let fallback: PlanLocation

  func error(_ member: String, _ message: String) -> PlanError {
    PlanError(step.location(of: member) ?? fallback, message)
  }

  /// Throws if an expression has no values of a type that is needed.
  func expression(
    _ expression: RecordExpression, _ member: String, _ what: String, _ use: ExpressionKinds.Use
  ) throws {
    do {
      let kinds = try ExpressionKinds(fields).kinds(of: expression.root)
      guard let kinds, !use.allows(kinds) else { return }
      throw error(member, "\(member): \(what) must be \(use.words), but this is \(kinds.inWords)")
    } catch let fault as ExpressionError {
      guard var location = step.locations["\(member)."] else {
        throw error(member, "\(member), \(fault.description)")
      }
      location.column += fault.column - 1
      throw PlanError(location, "\(member): \(fault.message)")
    }
  }

  /// Throws if the types of a field are known and none of them fits.
  func kinds(of name: String, at member: String = "field", fits: (CloudSchema.FieldType) -> Bool)
    throws
  {
    let kinds = fields[name]
    guard !kinds.isEmpty, !kinds.contains(where: fits) else { return }
    throw error(
      member,
      "field '\(name)' is \(kinds.inWords) at this step, which \(step.action.name) does not accept")
  }
}

/// The possible types of the fields of several record types. Empty for unknown fields.
struct KnownFields {
  private let list: [SchemaWalk.Fields]

  init(_ list: [SchemaWalk.Fields]) { self.list = list }

  /// The possible types of a field. Empty if some are unknown.
  subscript(_ name: String) -> Set<CloudSchema.FieldType> {
    list.contains { $0[name]?.isEmpty == true } ? [] : all(name)
  }

  /// Returns the known types of a field, also if there may be others.
  func all(_ name: String) -> Set<CloudSchema.FieldType> {
    list.reduce(into: []) { $0.formUnion($1[name] ?? []) }
  }

  /// Returns whether a field is known to be encrypted in all records that have it.
  func isEncrypted(_ name: String) -> Bool {
    let kinds = self[name]
    return !kinds.isEmpty && kinds.allSatisfy(\.isEncrypted)
  }
}

extension Set<CloudSchema.FieldType> {
  /// The types as a phrase, such as `STRING or INT64`.
  var inWords: String { map(\.description).sorted().joined(separator: " or ") }
}
