extension SchemaRule {
  static let suppressionMalformed = SchemaRule(
    "SUPPRESSION_MALFORMED", .lint, .warning,
    title: "An allow comment cannot be understood",
    effect: """
      Nothing in CloudKit; this is about RecordPack. A comment `// recordpack:allow RULE reason` \
      lets a known finding pass. One with an unknown rule, without a reason, with a blank before the \
      subject, or behind the last element without a subject has no effect, and neither has one that \
      is written in another way, such as `/// recordpack:allow` or `recordpack: allow`. Of one rule \
      at most 100 permissions may have a `*` in their subject.
      """,
    remedy: "Name a rule (recordpack schema explain lists them) and give the reason.",
    evidence: [Evidence(.inference, "RecordPack's own convention")],
    check: .reportedElsewhere(Set(SchemaQuestion.allCases)))
}
