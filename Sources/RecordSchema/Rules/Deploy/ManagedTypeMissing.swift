extension SchemaRule {
  static let managedTypeMissing = SchemaRule(
    id: "MANAGED_TYPE_MISSING", category: .deploy, defaultSeverity: .error,
    title: "A record type that CloudKit manages is missing",
    effect: """
      CloudKit creates some record types itself, such as cloudkit.share when the first share is \
      saved. A schema that lacks one is rejected with "invalid attempt to delete cloudkit managed \
      record type". Without cloudkit.share in production, saving a share there fails with "Cannot \
      create new type cloudkit.share in production schema".
      """,
    remedy: "Keep the type as in the export, with its name in quotation marks.",
    evidence: [.server("both messages, reported by several projects (HousePulse, PaperTrail)")],
    check: .removed(\.removedTypes, .deploy) { type in
      guard SchemaNames.isManaged(type.name) else { return nil }
      return Note(
        "the record type '\(type.name)', which CloudKit manages, is missing",
        hint: "keep it as in the export of production")
    })
}
