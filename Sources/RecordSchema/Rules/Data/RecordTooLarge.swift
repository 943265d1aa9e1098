extension SchemaRule {
  static let recordTooLarge = SchemaRule(
    "RECORD_TOO_LARGE", .data, .error,
    title: "Records have more than 1 MB of values",
    effect: """
      A record takes 1 MB besides its assets. RecordPack adds up names and values: text as UTF-8, \
      numbers and dates as 8 bytes. How exactly the server counts is not known, so a record close to \
      the limit may be judged wrongly.
      """,
    remedy: """
      Move large values to an asset, or to records of their own.
      """,
    evidence: [
      Evidence(
        .apple,
        "CloudKit Web Services Reference, \"Data Size Limits\": maximum record size (not including "
          + "Asset fields) 1 MB")
    ],
    check: .records { judgement, sink in
      judgement.report("RECORD_TOO_LARGE", hint: "move large values to an asset", to: &sink)
    })
}
