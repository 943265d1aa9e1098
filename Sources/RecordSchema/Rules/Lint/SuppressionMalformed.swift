extension SchemaRule {
  static let suppressionMalformed = SchemaRule(
    id: "SUPPRESSION_MALFORMED", category: .lint, defaultSeverity: .warning,
    title: "An allow comment is malformed",
    effect: """
      None in CloudKit; this is about RecordPack. A comment `// recordpack:allow RULE reason` \
      suppresses a known finding. A comment with an unknown rule, without a reason, with a space \
      before the subject, after the last element without a subject, or with another spelling, such \
      as `/// recordpack:allow` or `recordpack: allow`, has no effect. At most 100 allowances per \
      rule may have a `*` in their subject.
      """,
    remedy: "Name a rule (recordpack schema explain lists them) and give the reason.",
    evidence: [.inference("RecordPack's own convention")],
    check: .reportedElsewhere(Set(SchemaQuestion.allCases)))
}
