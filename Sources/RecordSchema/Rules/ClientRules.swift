import RecordModel

extension SchemaRule {
  static let indexRemoved = SchemaRule(
    id: "INDEX_REMOVED", category: .client, defaultSeverity: .error,
    title: "A field of production loses an index",
    effect: """
      A query that needs the index fails with "Field 'F' is not marked queryable", in every version \
      of the app that sends it. A subscription with such a predicate can no longer be \
      created. No data is lost. Omitting a system field removes its index too.
      Whether production rejects the removal is disputed: Apple describes it as possible, some \
      teams treat indexes as add-only.
      """,
    remedy: """
      Keep the index. If no app in use queries or sorts by the field, suppress the finding with a \
      comment or lower the severity.
      """,
    evidence: [
      .textSchemaPage, .server("the message, reported by many projects"),
      .community("moolah, wei18 and scout guard indexes as add-only"),
    ],
    check: .changedFields(.deploy) { field, type in
      let lost = field.from.options.subtracting(field.to.options)
      guard !lost.isEmpty else { return nil }
      let isOmitted = field.to.origin == nil && field.from.origin != nil
      return Note(
        isOmitted
          ? "the system field '\(field.name)' of '\(type)' is omitted and so loses "
            + Phrase.list(lost.keywords)
          : "the field '\(field.name)' of '\(type)' loses \(Phrase.list(lost.keywords))",
        hint: isOmitted
          ? "write \"\(field.name)\" \(field.from.type) \(field.from.options)"
          : "keep \(field.from.options)")
    })

  static let grantRemoved = SchemaRule(
    id: "GRANT_REMOVED", category: .client, defaultSeverity: .warning,
    title: "A role has fewer permissions than in production",
    effect: """
      Grants are part of the schema and are deployed with it. Operations on the public database \
      that rely on the permission fail. Private and shared databases have no roles.
      """,
    remedy: "Make sure that no version of the app in use needs the permission.",
    evidence: [
      .textSchemaPage, .server("Dispatch deploys grants with the schema; no refusal is reported"),
    ],
    check: .changedGrants(.deploy) { grant, type in
      grant.note(
        grant.lost, wider: grant.widerAfter, on: type, state: "removed",
        hint: grant.to.permissions.isEmpty
          ? "the grant is removed completely"
          : "the remaining grant is GRANT \(grant.to.permissions)"
      ) { "\(Phrase.role(grant.name)) may no longer \(Phrase.list($0)) records of '\(type)'" }
    })

  static let recordTypeNotDeployed = SchemaRule(
    id: "RECORD_TYPE_NOT_DEPLOYED", category: .client, defaultSeverity: .error,
    title: "The app needs a record type that production does not have",
    effect: """
      Saving a record of the type fails in production with "Cannot create new type X in production \
      schema". In development the server creates the type just in time, so that the problem is not \
      noticed before the app ships.
      """,
    remedy: "Deploy the schema in the CloudKit Console before the app is released.",
    evidence: [.deployingPage, .server("the message, CKError 12/2006, reported by many projects")],
    check: .added(\.addedTypes, .drift) { type in
      Note(
        "production has no record type '\(type.name)'; saving one fails with: "
          + ServerMessage.cannotCreateType(type.name),
        hint: "deploy the schema before the app is released")
    })

  static let fieldNotDeployed = SchemaRule(
    id: "FIELD_NOT_DEPLOYED", category: .client, defaultSeverity: .error,
    title: "The app needs a field that production does not have",
    effect: """
      Saving a record with a value in the field fails in production with "Cannot create or modify \
      field 'F' in record 'X' in production schema" (CKError 12/2006). The whole record is \
      rejected, so that sync stops for everyone. This is the most common failure of CloudKit apps.
      """,
    remedy: "Deploy the schema in the CloudKit Console before the app is released.",
    evidence: [.deployingPage, .server("the message, CKError 12/2006, reported by many projects")],
    check: .addedFields(.drift) { field, type in
      Note(
        "production has no field \(Phrase.field(field)) in '\(type)'; saving it fails with: "
          + ServerMessage.cannotCreateField(field.name, in: type),
        hint: "deploy the schema before the app is released")
    })

  static let fieldTypeMismatch = SchemaRule(
    id: "FIELD_TYPE_MISMATCH", category: .client, defaultSeverity: .error,
    title: "The app and production disagree on a field's type",
    effect: """
      Saving a value of a different type than production's fails with "invalid attempt to set \
      value type STRING for field 'F' for type 'X', defined to be: REFERENCE". Production cannot \
      be changed, so the app must be. A NUMBER in production accepts both kinds of numbers.
      """,
    remedy: "Use production's type in the app, or a field of another name.",
    evidence: [
      .server("the message, reported by several projects"),
      .inference("that NUMBER accepts INT64 and DOUBLE follows from how it is created"),
    ],
    check: .changedFields(.drift, at: \.typeSpan) { field, type in
      guard !field.from.type.shape.accepts(field.to.type.shape) else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here; saving it fails with: "
          + ServerMessage.invalidValueType(
            field.to.type.serverName, for: field.name, in: type,
            definedAs: field.from.type.serverName),
        hint: CoreDataNames.isMirrored(type)
          ? "Core Data stores a relationship to one object as STRING, and an attribute by its type: change "
            + "the attribute's type, or give the property another name"
          : "use \(field.from.type) in the app, or a field with another name")
    })

  static let fieldEncryptionMismatch = SchemaRule(
    id: "FIELD_ENCRYPTION_MISMATCH", category: .client, defaultSeverity: .error,
    title: "The app and production disagree on a field's encryption",
    effect: """
      Saving an encrypted value to a plain field fails with "Attempt to save encrypted data in non \
      encrypted field type", and vice versa. Production cannot be changed.
      """,
    remedy: """
      Use encryptedValues in the app for exactly the fields that are ENCRYPTED in production, or \
      use a field with another name.
      """,
    evidence: [.encryptedValues, .server("\(mistKitIssue) quotes the messages for a mismatch")],
    check: .changedFields(.drift, at: \.typeSpan) { field, type in
      guard field.from.type.isEncrypted != field.to.type.isEncrypted else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here",
        hint: field.from.type.isEncrypted
          ? "write it through encryptedValues" : "write it as a plain value")
    })

  static let indexNotDeployed = SchemaRule(
    id: "INDEX_NOT_DEPLOYED", category: .client, defaultSeverity: .error,
    title: "The app needs an index that production does not have",
    effect: """
      Queries that compare or sort by the field fail in production with "Field 'F' is not marked \
      queryable" or "Type is not marked indexable: X"; subscriptions with such a predicate fail \
      with "attempting to create a subscription in a production container". In development the \
      server creates indexes just in time.
      """,
    remedy: "Add the index in the schema and deploy it before the app is released.",
    evidence: [.server("the messages, reported by many projects")],
    check: .changedFields(.drift) { field, type in
      let missing = field.to.options.subtracting(field.from.options)
      guard !missing.isEmpty else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is not " + Phrase.list(missing.keywords, "or")
          + " in production", hint: "deploy the schema before the app is released")
    })

  static let grantNotDeployed = SchemaRule(
    id: "GRANT_NOT_DEPLOYED", category: .client, defaultSeverity: .warning,
    title: "The app needs a permission that production does not give",
    effect: """
      Operations on the public database that need the permission fail. Private and shared \
      databases have no roles.
      """,
    remedy: "Deploy the schema before the app is released.",
    evidence: [.textSchemaPage, .server("Dispatch deploys grants with the schema")],
    check: .changedGrants(.drift) { grant, type in
      grant.note(
        grant.gained, wider: grant.widerBefore, on: type, state: "not in production",
        hint: "deploy the schema before the app is released"
      ) {
        "in production \(Phrase.role(grant.name)) may not \(Phrase.list($0, "or")) records of "
          + "'\(type)'"
      }
    })

  static let roleNotDeployed = SchemaRule(
    id: "ROLE_NOT_DEPLOYED", category: .client, defaultSeverity: .warning,
    title: "The app needs a role that production does not have",
    effect: """
      No account can have the role in production before it is deployed. Roles are assigned to \
      accounts separately in each environment.
      """,
    remedy: "Deploy the schema, then assign the role in the Console for production.",
    evidence: [
      .server("Dispatch, docs/moderation.md: assignment is not expressible in the schema")
    ],
    check: .added(\.addedRoles, .drift) { role in
      Note(
        "production has no role '\(role.name)'",
        hint: "deploy the schema, then assign the role in the Console")
    })

  static let subscriptionTypeUnknown = SchemaRule(
    id: "SUBSCRIPTION_TYPE_UNKNOWN", category: .client, defaultSeverity: .error,
    title: "A subscription watches a record type that production does not have",
    effect: """
      Production rejects the subscription with "attempting to create a subscription in a \
      production container", so the app receives no notifications.
      """,
    remedy: "Deploy the record type before the app that subscribes to it ships.",
    evidence: [.subscriptionRejection],
    check: .records { check, findings in
      for watch in check.subscriptions {
        guard let type = watch.recordType, check.production[type] == nil else { continue }
        findings.report(
          .type(type), "\(watch) watches the record type '\(type)', which production does not have",
          hint: "deploy the record type")
      }
    })

  static let subscriptionFieldUnknown = SchemaRule(
    id: "SUBSCRIPTION_FIELD_UNKNOWN", category: .client, defaultSeverity: .error,
    title: "The predicate of a subscription compares a field that production does not have",
    effect: """
      Production rejects the subscription with "attempting to create a subscription in a \
      production container", so the app receives no notifications.
      """,
    remedy: "Deploy the field, with a QUERYABLE index, before the app that subscribes to it ships.",
    evidence: [.subscriptionRejection],
    check: .comparedFields { field, watch, filter, type in
      guard field == nil else { return nil }
      return Note(
        "\(watch) compares '\(filter.name)' of '\(type)', a field that production does not have",
        hint: "deploy the field, with \(filter.index)")
    })

  static let subscriptionFieldNotQueryable = SchemaRule(
    id: "SUBSCRIPTION_FIELD_NOT_QUERYABLE", category: .client, defaultSeverity: .error,
    title: "The predicate of a subscription compares a field without the required index",
    effect: """
      A predicate requires a QUERYABLE index on each field that it compares, and SEARCHABLE for \
      full-text search: "Field 'done' is not marked queryable". Production rejects the \
      subscription with "attempting to create a subscription in a production container".
      """,
    remedy: "Add the index to the schema and deploy it.",
    evidence: [
      .subscriptionRejection,
      .server("many users report \"Field … is not marked queryable\" for queries"),
    ],
    check: .comparedFields { field, watch, filter, type in
      guard let field, !field.options.contains(filter.option) else { return nil }
      let server = ServerMessage.notQueryable(filter.name)
      return Note(
        "\(watch) compares '\(filter.name)' of '\(type)', which has no \(filter.index) index in "
          + "production" + (filter.option == .queryable ? "; the server says: \"\(server)\"" : ""),
        hint: field.type.isEncrypted || field.type.primitive == .asset
          ? "compare another field: an encrypted value or an asset cannot have an index"
          : "add \(filter.index) and deploy it")
    })

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
    check: .records { check, findings in
      for watch in check.subscriptions {
        guard watch.isForAllPublicRecords,
          let type = watch.recordType.flatMap({ check.production[$0] })
        else { continue }
        let recordID = SystemField.recordID.rawValue
        if type.field(named: recordID)?.options.contains(.queryable) == true { continue }
        findings.report(
          .type(type.name),
          "\(watch) watches all records of '\(type.name)', whose \(recordID) has no QUERYABLE "
            + "index in production; the server says: "
            + "\"\(ServerMessage.typeNotIndexable(type.name))\"",
          hint: "add \"\(recordID)\" REFERENCE QUERYABLE and deploy it")
      }
    })
}
