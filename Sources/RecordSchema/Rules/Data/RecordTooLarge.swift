extension SchemaRule {
  static let recordTooLarge = SchemaRule(
    id: "RECORD_TOO_LARGE", category: .data, defaultSeverity: .error,
    title: "Records have more than 1 MB of values",
    effect: """
      A record can have up to 1 MB of values, not including assets. RecordPack adds the sizes of \
      names and values: strings in UTF-8, numbers and dates as 8 bytes. The server's exact \
      calculation is unknown, so records close to the limit may be misjudged.
      """,
    remedy: "Move large values to an asset or to separate records.",
    evidence: [
      .apple(
        "CloudKit Web Services Reference, \"Data Size Limits\": maximum record size (not "
          + "including Asset fields) 1 MB")
    ],
    check: .data(hint: "move large values to an asset"))
}
