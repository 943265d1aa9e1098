import RecordModel
import RecordSchema

extension MigrationStep {
  /// An error that makes the step invalid for all records, and the key in the plan that it is about.
  typealias Fault = (member: String, message: String)

  /// Checks that the step is valid.
  ///
  /// - Throws: ``MigrationError/invalid(_:)`` with the step's title.
  func check() throws {
    guard let fault else { return }
    throw MigrationError.invalid(
      (location(of: fault.member).map { "\($0): " } ?? "") + "\(title): \(fault.message)")
  }

  /// The error that makes the step invalid, or `nil` if it is valid.
  var fault: Fault? { faultOfPolicy ?? action.kind.fault(in: self) ?? faultOfNames }

  private var faultOfPolicy: Fault? {
    switch misfit {
    case .keep(let overflow):
      if !action.effects.hasValue {
        return ("misfit", "there is no single value to keep in '\(overflow)'; use fail or skip")
      }
      return overflow == action.subject
        ? ("misfit", "a value cannot be kept in its own field") : nil
    case .null where !action.effects.hasValue && !action.effects.canBeLeftOut:
      return ("misfit", "there is no single value to drop; use fail or skip")
    default: return nil
    }
  }

  /// The error for kinds of steps that need the names of their record types.
  var faultOfUnnamedTypes: Fault? {
    selection.recordTypes?.isEmpty == false
      ? nil : ("type", "the step requires the names of record types; '*' is not allowed")
  }

  /// The error in a name of the step, if any. New names must be valid in CloudKit; existing names
  /// must not be empty.
  var faultOfNames: Fault? { faultOfSelection ?? faultOfKnownNames ?? faultOfNewNames }

  private var faultOfSelection: Fault? {
    let lists = [
      ("type", "record types", selection.recordTypes), ("zone", "zones", selection.zoneNames),
      ("database", "databases", selection.databases.map { Set($0.map(\.rawValue)) }),
    ]
    for case (let member, let what, let names?) in lists {
      if names.isEmpty {
        return (member, "the list of \(what) is empty, so the step applies to no records")
      }
      if names.contains("") {
        return (member, "the list of \(what) contains an empty name")
      }
    }
    return nil
  }

  private var faultOfKnownNames: Fault? {
    let effects = action.effects
    var names = effects.reads.names.map { (effects.reads.members[0], $0) }
    for name in (condition?.fieldNames ?? []).sorted() { names.append(("where", name)) }
    if let (member, expression) = effects.expression {
      for name in expression.fieldNames.sorted() { names.append((member, name)) }
    }
    names += effects.names.map { ($0.member, $0.name) }
    guard let (member, _) = names.first(where: { $0.1.isEmpty }) else { return nil }
    return (member, "a name is empty")
  }

  private var faultOfNewNames: Fault? {
    // A reversed step restores the former name, whether it is valid or not.
    guard !treatsFailedConditionAsFalse else { return nil }
    let creates = action.effects.creates
    var names = creates.names.map { (creates.members[0], $0, "field") }
    if case .keep(let overflow) = misfit { names.append(("misfit", overflow, "field")) }
    if let type = action.effects.newType { names.append((type.member, type.name, "record type")) }
    for (member, name, what) in names {
      if let problem = Self.problem(ofName: name, what) {
        return (member, problem)
      }
    }
    return nil
  }

  private static func problem(ofName name: String, _ what: String) -> String? {
    let limit = RecordLimits.cloudKit.keyLength
    if SchemaNames.isPlain(name), name.utf8.count <= limit { return nil }
    return "\(quoted(name)) is not a valid name of a \(what): a letter, then letters, digits and "
      + "'_' of ASCII, at most \(limit)"
  }

  static func quoted(_ name: String) -> String {
    name.isEmpty ? "an empty name" : "'\(name.count > 60 ? name.prefix(60) + "…" : name)'"
  }
}
