/// The change that a step makes to a record.
///
/// ```swift
/// MigrationStep("Message", .renameField("text", to: "body"))
/// MigrationStep("Photo", .mergeTypes(into: "Attachment", discriminator: "kind"))
/// ```
public struct MigrationAction: Sendable {
  let kind: any StepKind
  let effects: StepEffects

  init(_ kind: some StepKind) {
    self.kind = kind
    effects = kind.effects
  }

  /// The name of the step in a plan.
  public var name: String { kind.name }

  /// The field that the step changes or creates, if it is a single one.
  public var subject: String? { effects.subject }

  /// Returns the action with information from the schema.
  func completed(with fields: KnownFields) -> MigrationAction {
    var kind = kind
    kind.complete(with: fields)
    return MigrationAction(kind)
  }
}
