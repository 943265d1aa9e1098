extension SchemaRule {
  static let suppressionMalformed = SchemaRule(
    "SUPPRESSION_MALFORMED", .lint, .warning,
    title: "An allow comment cannot be understood",
    effect: """
      Nothing in CloudKit; this is about RecordPack. A comment `// recordpack:allow RULE reason` \
      lets a known finding pass. One with an unknown rule or without a reason has no effect.
      """,
    remedy: "Name a rule (recordpack schema explain lists them) and give the reason.",
    evidence: [Evidence(.inference, "RecordPack's own convention")],
    check: .reportedElsewhere([.validate, .deploy, .drift]))
}
