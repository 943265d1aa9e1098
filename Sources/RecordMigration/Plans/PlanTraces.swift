import RecordModel

/// Records which steps created, changed and removed elements, so that an error can point to the
/// step that caused it.
struct PlanTraces {
  /// The step that last set a field's name or type.
  private var origins: [String: [String: PlanLocation]] = [:]
  /// The step that last set a type's name.
  private var typeOrigins: [String: PlanLocation] = [:]
  /// The reasons why fields no longer exist, as phrases.
  private var gone: [String: [String: String]] = [:]
  private var goneTypes: [String: String] = [:]

  /// Returns the location of the last step that changed a field, or `nil` if there is none.
  func origin(ofField name: String, of type: String) -> PlanLocation? { origins[type]?[name] }

  /// Returns the location of the step that named a type, or `nil` if there is none.
  func origin(ofType type: String) -> PlanLocation? { typeOrigins[type] }

  /// Returns a phrase such as `; line 5 renames it to 'body'`, or `nil`.
  func fate(ofField name: String, of type: String) -> String? { gone[type]?[name] }
  func fate(ofType type: String) -> String? { goneTypes[type] }

  mutating func take(_ step: MigrationStep, _ types: [String]) {
    let line = step.location.map { "line \($0.line)" } ?? "an earlier step"
    let effects = step.action.effects
    for type in types { take(step, effects, type, line) }
    if let name = effects.newType?.name {
      for type in types where type != name {
        goneTypes[type] = "; \(line) renames it to '\(name)'"
        origins[name, default: [:]].merge(origins[type] ?? [:]) { _, new in new }
        gone[name, default: [:]].merge(gone[type] ?? [:]) { _, new in new }
      }
      typeOrigins[name] = step.location(of: effects.newType?.member ?? "")
    } else if effects.deletesType {
      for type in types { goneTypes[type] = "; \(line) deletes it" }
    }
  }

  private mutating func take(
    _ step: MigrationStep, _ effects: StepEffects, _ type: String, _ line: String
  ) {
    for (name, fate) in effects.removes { gone[type, default: [:]][name] = "; \(line) \(fate)" }
    var fields = [effects.creates, effects.types]
    if case .keep(let overflow) = step.misfit { fields.append(.init([overflow], "misfit.keep-in")) }
    for fields in fields {
      for name in fields.names { origins[type, default: [:]][name] = fields.location(in: step) }
    }
  }
}
