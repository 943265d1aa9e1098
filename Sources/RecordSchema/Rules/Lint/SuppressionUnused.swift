extension SchemaRule {
  static let suppressionUnused = SchemaRule(
    id: "SUPPRESSION_UNUSED", category: .lint, defaultSeverity: .info,
    title: "An allow comment or list entry suppresses nothing",
    effect: """
      None in CloudKit; this is about RecordPack. Remove an allowance together with its finding, \
      before it hides something else.
      """,
    remedy: "Remove the comment or the entry.",
    evidence: [.inference("RecordPack's own convention")],
    check: .reportedElsewhere(Set(SchemaQuestion.allCases)))
}
