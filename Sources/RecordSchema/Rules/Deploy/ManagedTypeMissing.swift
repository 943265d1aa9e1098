extension SchemaRule {
  static let managedTypeMissing = SchemaRule(
    "MANAGED_TYPE_MISSING", .deploy, .error,
    title: "A record type that CloudKit manages is missing",
    effect: """
      CloudKit makes record types of its own, such as cloudkit.share when the first share is \
      saved. A schema that lacks one is refused with "invalid attempt to delete cloudkit managed \
      record type". Without cloudkit.share in production, saving a share there fails with "Cannot \
      create new type cloudkit.share in production schema".
      """,
    remedy: "Keep the type as the export has it, name in quotation marks.",
    evidence: [
      Evidence(.server, "both messages, reported by several projects (HousePulse, PaperTrail)")
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.removedTypes where SchemaNames.isManaged(type.name) {
        sink.report(
          .type(type.name), "the record type '\(type.name)', which CloudKit manages, is missing",
          hint: "keep it as the export of production has it", former: type.origin?.name)
      }
    })
}
