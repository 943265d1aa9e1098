extension SchemaRule {
  static let recordZoneName = SchemaRule(
    "RECORD_ZONE_NAME", .data, .error,
    title: "Records lie in a zone whose name CloudKit does not take",
    effect: """
      A zone's name has 1 to 255 characters, all ASCII. A zone of another name cannot be made, so its \
      records cannot be saved.
      """,
    remedy: """
      Give the zone another name.
      """,
    evidence: [
      Evidence(.apple, "CKRecordZoneID.h: \"Zone names must be 255 characters or less\""),
      Evidence(.inference, "that only ASCII is allowed, as Apple says of record names"),
    ],
    check: .records { judgement, sink in
      judgement.report("RECORD_ZONE_NAME", hint: "give the zone another name", to: &sink)
    })
}
