import RecordModel

extension MigrationStep {
  /// Whether the step can be carried out at all.
  ///
  /// - Throws: ``MigrationError/invalid(_:)`` that names it.
  func check() throws {
    func fail(_ message: String) -> MigrationError {
      .invalid((place.map { "\($0): " } ?? "") + "\(title): \(message)")
    }
    switch misfit {
    case .keep(let overflow):
      guard action.hasValue else {
        throw fail(
          "there is no single value that could be kept in '\(overflow)'; the policy is "
            + "fail or skip")
      }
      guard overflow != action.subject else {
        throw fail("a value cannot be kept in the field it does not fit in")
      }
    case .null where !action.hasValue && !action.canBeLeftOut:
      throw fail("there is no single value that could be dropped; the policy is fail or skip")
    default: break
    }
    switch action {
    case .split(_, let names, let separator):
      guard names.count >= 2, Set(names).count == names.count else {
        throw fail("a text is split into at least two fields, each named once")
      }
      guard !separator.isEmpty else { throw fail("the separator is empty") }
    case .join(let names, _, let separator):
      guard names.count >= 2, Set(names).count == names.count else {
        throw fail("at least two fields are joined, each named once")
      }
      guard !separator.isEmpty else { throw fail("the separator is empty") }
    case .leaveBehind where condition == nil && selection.recordTypes == nil:
      throw fail("this would leave everything behind; say which records with 'where' or 'type'")
    case .convert(_, let conversion) where conversion.type == nil && conversion.scale == nil:
      throw fail("nothing is converted: name a type ('to') or a factor ('multiply', 'divide')")
    case .renameType, .mergeTypes, .deleteType:
      guard selection.recordTypes?.isEmpty == false else {
        throw fail("the record type is missing")
      }
    default: break
    }
  }
}

extension MigrationAction {
  /// Whether a misfit may simply leave the record without what the step would have added.
  var canBeLeftOut: Bool {
    switch self {
    case .addField, .join, .setReference: true
    default: false
    }
  }
}
