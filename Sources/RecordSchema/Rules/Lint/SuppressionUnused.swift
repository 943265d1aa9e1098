extension SchemaRule {
  static let suppressionUnused = SchemaRule(
    "SUPPRESSION_UNUSED", .lint, .info,
    title: "An allow comment or list entry lets nothing pass",
    effect: """
      Nothing in CloudKit; this is about RecordPack. What was allowed once may be gone, and the \
      permission should go with it, before it hides something else.
      """,
    remedy: "Remove the comment or the entry.",
    evidence: [Evidence(.inference, "RecordPack's own convention")],
    check: .reportedElsewhere(Set(SchemaQuestion.allCases)))
}
