import RecordModel
import RecordSchema

/// The known record types that records may have at some point of a migration.
struct KnownTypes {
  private var names: Set<String>

  init(_ schema: Schema?) {
    names = Set(schema?.recordTypes.map(\.name) ?? [])
  }

  func contains(_ name: String) -> Bool { names.contains(name) }

  mutating func take(_ step: MigrationStep) {
    let selected = step.selection.recordTypes ?? []
    names.formUnion(selected)
    let isPartial =
      step.condition != nil || step.selection.databases != nil || step.selection.zoneNames != nil
    let effects = step.action.effects
    if effects.newType != nil || effects.deletesType, !isPartial { names.subtract(selected) }
    if let type = effects.newType { names.insert(type.name) }
  }
}
