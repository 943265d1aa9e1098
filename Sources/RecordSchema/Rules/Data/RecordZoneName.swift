extension SchemaRule {
  static let recordZoneName = SchemaRule(
    id: "RECORD_ZONE_NAME", category: .data, defaultSeverity: .error,
    title: "Records are in a zone with an invalid name",
    effect: """
      A zone name has 1 to 255 characters, all ASCII. A zone with another name cannot be created, \
      so its records cannot be saved.
      """,
    remedy: "Give the zone another name.",
    evidence: [
      .apple("CKRecordZoneID.h: \"Zone names must be 255 characters or less\""),
      .inference("that only ASCII is allowed, as Apple says of record names"),
    ],
    check: .data(hint: "give the zone another name"))
}
