extension SchemaRule {
  static let recordTypeAdded = SchemaRule(
    id: "RECORD_TYPE_ADDED", category: .info, defaultSeverity: .info,
    title: "A record type was added",
    effect: "Once deployed, the type, its name and all its fields are permanent.",
    remedy: "Check names and types before deploying.",
    evidence: [.quickStart],
    check: .added(\.addedTypes, .deploy) { type in
      Note(
        "the record type '\(type.name)' with \(Phrase.count(type.userFields.count, "field")) was "
          + "added; permanent once deployed")
    })

  static let fieldAdded = SchemaRule(
    id: "FIELD_ADDED", category: .info, defaultSeverity: .info,
    title: "A field was added",
    effect: "Once deployed, the field, its name, type and encryption are permanent.",
    remedy: "Check the name and type before deploying.",
    evidence: [.quickStart, .encryptedValues],
    check: .addedFields(.deploy) { field, type in
      Note("the field \(Phrase.field(field)) of '\(type)' was added; permanent once deployed")
    })

  static let roleAdded = SchemaRule(
    id: "ROLE_ADDED", category: .info, defaultSeverity: .info,
    title: "A role was added",
    effect: """
      The role is deployed with the schema. Its assignment to accounts is not part of the schema: \
      assign it in the Console, separately for each environment.
      """,
    remedy: "Assign the role in production after the deployment.",
    evidence: [.textSchemaPage, .server("Dispatch, docs/moderation.md, on assigning roles")],
    check: .added(\.addedRoles, .deploy) { role in
      Note("the role '\(role.name)' was added; assign it in production")
    })

  static let indexAdded = SchemaRule(
    id: "INDEX_ADDED", category: .info, defaultSeverity: .info,
    title: "A field gains an index",
    effect: """
      Queries can use the field. Building the index for existing records takes the server some \
      time, and indexes use space and make saving slower.
      """,
    remedy: "Add only indexes that the app's queries need.",
    evidence: [.deployingPage],
    check: .changedFields(.deploy) { field, type in
      let gained = field.to.options.subtracting(field.from.options)
      guard !gained.isEmpty else { return nil }
      return Note("the field '\(field.name)' of '\(type)' becomes \(Phrase.list(gained.keywords))")
    })

  static let grantExtended = SchemaRule(
    id: "GRANT_EXTENDED", category: .info, defaultSeverity: .info,
    title: "A role has more permissions than in production",
    effect: """
      The creator of a record, or accounts with a role of the container, get more permissions in \
      the public database. A permission that a wider role has already changes nothing.
      """,
    remedy: "Check that this is intended.",
    evidence: [.textSchemaPage],
    check: .changedGrants(.deploy) { grant, type in
      // Those of many are reported by `grantAdded` and `grantReadAdded`.
      let gained =
        Phrase.isOpenToMany(grant.name)
        ? grant.gained.intersection(grant.widerBefore) : grant.gained
      return grant.note(gained, wider: grant.widerBefore, on: type, state: "new") {
        "\(Phrase.role(grant.name)) may now \(Phrase.list($0)) records of '\(type)'"
      }
    })

  static let numberPreferenceSet = SchemaRule(
    id: "NUMBER_PREFERENCE_SET", category: .info, defaultSeverity: .info,
    title: "A NUMBER field gains a preference",
    effect: "Once deployed, PREFERRED AS cannot be changed.",
    remedy: "Check that the app saves this kind of number.",
    evidence: [.textSchemaPage],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      guard field.from.type.shape == field.to.type.shape,
        field.from.type.numberPreference == nil, let preference = field.to.type.numberPreference
      else { return nil }
      return Note(
        "the NUMBER field '\(field.name)' of '\(type)' is now preferred as "
          + "\(preference.rawValue); permanent once deployed")
    })

  static let productionDiffers = SchemaRule(
    id: "PRODUCTION_DIFFERS", category: .info, defaultSeverity: .info,
    title: "Production has something that the app does not need",
    effect: """
      Production may have types, fields, indexes, grants and roles of older versions or other \
      apps. They cause no failures.
      """,
    remedy: """
      None, unless the schema in the repository is meant to be complete: then export production \
      and add what is missing, or the next import will be rejected (RECORD_TYPE_REMOVED, \
      FIELD_REMOVED).
      """,
    evidence: [.quickStart],
    check: .all(
      .drift,
      [
        .removed(\.removedRoles, .drift) { Note("only production has the role '\($0.name)'") },
        .removed(\.removedTypes, .drift) {
          Note("only production has the record type '\($0.name)'")
        },
        .removedFields(.drift) { field, type in
          Note("only production has the field '\(field.name)' in '\(type)'")
        },
        .changedFields(.drift) { field, type in
          let options = field.from.options.subtracting(field.to.options)
          guard !options.isEmpty else { return nil }
          return Note(
            "only in production is the field '\(field.name)' of '\(type)' "
              + Phrase.list(options.keywords))
        },
        .changedFields(.drift, at: \.typeSpan) { field, type in
          let (from, to) = (field.from.type, field.to.type)
          guard from != to, from.isEncrypted == to.isEncrypted, from.shape.accepts(to.shape) else {
            return nil
          }
          return Note(
            "the field '\(field.name)' of '\(type)' is \(from) in production, which accepts the "
              + "app's \(to)")
        },
        .changedGrants(.drift) { grant, type in
          grant.note(
            grant.lost, wider: grant.widerAfter, on: type, state: "only in production"
          ) {
            "only in production \(Phrase.role(grant.name)) may \(Phrase.list($0)) records of "
              + "'\(type)'"
          }
        },
      ]))
}
