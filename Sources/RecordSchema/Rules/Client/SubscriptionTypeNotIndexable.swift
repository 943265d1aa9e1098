extension SchemaRule {
  static let subscriptionTypeNotIndexable = SchemaRule(
    id: "SUBSCRIPTION_TYPE_NOT_INDEXABLE", category: .client, defaultSeverity: .warning,
    title: "A subscription to all records of a type has no index on the record name",
    effect: """
      A subscription without a predicate to a type in the public database requires an index on the \
      record name: "Type is not marked indexable: Todo".
      """,
    remedy: "Add \"___recordID\" REFERENCE QUERYABLE to the record type and deploy it.",
    evidence: [
      .subscriptionRejection,
      .server("users report \"Type is not marked indexable\" for queries of all records"),
    ],
    check: .records { check, sink in
      for watch in check.subscriptions {
        guard watch.isForAllPublicRecords,
          let type = watch.recordType.flatMap({ check.production[$0] })
        else { continue }
        let recordID = CloudSchema.SystemField.recordID.rawValue
        if type.field(named: recordID)?.options.contains(.queryable) == true { continue }
        sink.report(
          .type(type.name),
          "\(watch) watches all records of '\(type.name)', whose \(recordID) has no QUERYABLE "
            + "index in production; the server says: "
            + "\"\(ServerMessage.typeNotIndexable(type.name))\"",
          hint: "add \"\(recordID)\" REFERENCE QUERYABLE and deploy it")
      }
    })
}
