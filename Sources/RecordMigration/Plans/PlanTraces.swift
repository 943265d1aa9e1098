import RecordModel

/// Records which steps created, changed and removed elements, so that an error can point to the
/// step that caused it.
struct PlanTraces {
  /// The step that last set a field's name or type.
  private var origins: [String: [String: PlanPlace]] = [:]
  /// The step that last set a type's name.
  private var typeOrigins: [String: PlanPlace] = [:]
  /// The reasons why fields no longer exist, as phrases.
  private var gone: [String: [String: String]] = [:]
  private var goneTypes: [String: String] = [:]

  /// Returns the location of the last step that changed a field, or `nil` if there is none.
  func origin(ofField name: String, of type: String) -> PlanPlace? { origins[type]?[name] }

  /// Returns the location of the step that named a type, or `nil` if there is none.
  func origin(ofType type: String) -> PlanPlace? { typeOrigins[type] }

  /// Returns a phrase such as `; line 5 renames it to 'body'`, or `nil`.
  func fate(ofField name: String, of type: String) -> String? { gone[type]?[name] }
  func fate(ofType type: String) -> String? { goneTypes[type] }

  mutating func take(_ step: MigrationStep, _ types: [String]) {
    let line = step.place.map { "line \($0.line)" } ?? "an earlier step"
    for type in types { take(step, type, line) }
    switch step.action {
    case .renameType(let name), .mergeTypes(let name, _):
      for type in types where type != name {
        goneTypes[type] = "; \(line) makes it '\(name)'"
        origins[name, default: [:]].merge(origins[type] ?? [:]) { _, new in new }
        gone[name, default: [:]].merge(gone[type] ?? [:]) { _, new in new }
      }
      typeOrigins[name] = step.place(of: step.action.name == "rename-type" ? "to" : "into")
    case .deleteType: for type in types { goneTypes[type] = "; \(line) deletes it" }
    default: break
    }
  }

  private mutating func take(_ step: MigrationStep, _ type: String, _ line: String) {
    func note(_ names: [String], _ member: String) {
      for name in names { origins[type, default: [:]][name] = step.place(of: member) }
    }
    switch step.action {
    case .renameField(let name, let newName):
      gone[type, default: [:]][name] = "; \(line) renames it to '\(newName)'"
      note([newName], "to")
    case .dropField(let name): gone[type, default: [:]][name] = "; \(line) drops it"
    case .split(let name, let names, _):
      let words = names.map { "'\($0)'" }.joined(separator: ", ")
      gone[type, default: [:]][name] = "; \(line) splits it into \(words)"
      note(names, "into")
    case .join(let names, let name, _):
      for other in names where other != name {
        gone[type, default: [:]][other] = "; \(line) joins it into '\(name)'"
      }
      note([name], "into")
    case .setParent(let name, keepsField: false):
      gone[type, default: [:]][name] = "; \(line) makes it the parent"
    case .addField(let name, _, _, _):
      note([name], step.places["as"] != nil ? "as" : "field")
    case .setReference(let name, _, _): note([name], "field")
    case .convert(let name, _): note([name], step.places["to"] != nil ? "to" : "field")
    case .mapValues(let name, _): note([name], "values")
    case .encrypt(let name), .decrypt(let name): note([name], "field")
    case .mergeTypes(let name, let discriminator?):
      origins[name, default: [:]][discriminator] = step.place(of: "discriminator")
    default: break
    }
    if case .keep(let overflow) = step.misfit { note([overflow], "misfit.keep-in") }
  }
}
