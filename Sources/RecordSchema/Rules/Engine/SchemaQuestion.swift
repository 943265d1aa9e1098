/// The question that a check answers.
public enum SchemaQuestion: String, Sendable, Hashable, CaseIterable {
  /// Does the schema follow the rules of the language and CloudKit's limits?
  case validate
  /// Can the schema be deployed over the production schema, and what becomes permanent?
  case deploy
  /// Does production have everything that the app's schema needs?
  case drift
  /// Would production accept the stored records?
  case records
  /// Does production have everything that the app's source code uses?
  case source
}
