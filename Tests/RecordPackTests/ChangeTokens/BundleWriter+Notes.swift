import RecordPack

extension BundleWriter {
  /// Writes a record as another program would.
  func write(
    _ recordID: RecordID, type: String = "Note", tag: String?, text: String = "",
    in scope: DatabaseScope = .private
  ) throws {
    let system = SystemFields(recordID: recordID, recordType: type, recordChangeTag: tag)
    try write(
      ResultRecord(
        systemFields: system, fields: [Field(name: "text", value: .string(text))]),
      database: scope)
  }

  /// Writes a subscription to the private database.
  func write(subscription id: String) throws {
    try write(
      CloudSubscription(subscriptionID: id, kind: .database(recordType: nil)), database: .private)
  }
}
