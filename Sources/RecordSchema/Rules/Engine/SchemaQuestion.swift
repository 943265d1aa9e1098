/// The question that a check of schemas answers.
public enum SchemaQuestion: String, Sendable, Hashable, CaseIterable {
  /// Does the schema keep the rules of the language and CloudKit's limits?
  case validate
  /// Can the new schema be deployed over the production schema, and what becomes permanent?
  case deploy
  /// Has production all that the app's schema needs?
  case drift
  /// Would production take the stored records?
  case records
}
