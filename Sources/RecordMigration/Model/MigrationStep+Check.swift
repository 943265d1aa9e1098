import RecordModel

extension MigrationStep {
  /// An error that makes the step invalid for all records.
  struct Fault {
    /// The key in the plan that the error is about.
    var member: String
    var message: String
  }

  /// Checks that the step is valid.
  ///
  /// - Throws: ``MigrationError/invalid(_:)`` with the step's title.
  func check() throws {
    guard let fault else { return }
    throw MigrationError.invalid(
      (place(of: fault.member).map { "\($0): " } ?? "") + "\(title): \(fault.message)")
  }

  /// The error that makes the step invalid, or `nil` if it is valid.
  var fault: Fault? { faultOfPolicy ?? faultOfAction ?? faultOfNames }

  private var faultOfPolicy: Fault? {
    switch misfit {
    case .keep(let overflow):
      if !action.hasValue {
        return Fault(
          member: "misfit",
          message: "there is no single value that could be kept in '\(overflow)'; the policy is "
            + "fail or skip")
      }
      return overflow == action.subject
        ? Fault(
          member: "misfit", message: "a value cannot be kept in the field it does not fit in")
        : nil
    case .null where !action.hasValue && !action.canBeLeftOut:
      return Fault(
        member: "misfit",
        message: "there is no single value that could be dropped; the policy is fail or skip")
    default: return nil
    }
  }

  private var faultOfAction: Fault? {
    switch action {
    case .split(_, let names, let separator):
      return Self.fault(
        names, separator, "into", "a text is split into at least two fields, each named once")
    case .join(let names, _, let separator):
      return Self.fault(
        names, separator, "fields", "at least two fields are joined, each named once")
    case .leaveBehind where condition == nil && selection.recordTypes == nil:
      return Fault(
        member: "type",
        message: "this would leave everything behind; say which records with 'where' or 'type'")
    case .convert(_, let conversion) where conversion.type == nil && conversion.scale == nil:
      return Fault(
        member: "do",
        message: "nothing is converted: name a type ('to') or a factor ('multiply', 'divide')")
    case .renameType, .mergeTypes, .deleteType:
      return selection.recordTypes?.isEmpty == false
        ? nil : Fault(member: "type", message: "the step names its record types; '*' is none")
    default: return nil
    }
  }

  private static func fault(
    _ names: [String], _ separator: String, _ member: String, _ message: String
  ) -> Fault? {
    guard names.count >= 2, Set(names).count == names.count else {
      return Fault(member: member, message: message)
    }
    return separator.isEmpty ? Fault(member: "separator", message: "the separator is empty") : nil
  }
}

extension MigrationAction {
  /// Whether a value that does not fit can be skipped by not adding anything to the record.
  var canBeLeftOut: Bool {
    switch self {
    case .addField, .join, .setReference: true
    default: false
    }
  }
}
