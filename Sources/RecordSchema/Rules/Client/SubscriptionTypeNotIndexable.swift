extension SchemaRule {
  static let subscriptionTypeNotIndexable = SchemaRule(
    "SUBSCRIPTION_TYPE_NOT_INDEXABLE", .client, .warning,
    title: "A subscription to all records of a type has no index on their names",
    effect: """
      A subscription without a predicate to a type of the public database asks for the index on the \
      records' names: "Type is not marked indexable: Todo".
      """,
    remedy: "Add \"___recordID\" REFERENCE QUERYABLE to the record type and deploy it.",
    evidence: [
      .subscriptionRefusal,
      Evidence(.server, "users report \"Type is not marked indexable\" for queries of all records"),
    ],
    check: .records { judgement, sink in
      for watch in SubscriptionWatch.all(judgement.census) {
        guard watch.isForAllPublicRecords,
          let type = watch.recordType.flatMap({ judgement.production[$0] })
        else { continue }
        let recordID = Schema.SystemField.recordID.rawValue
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
