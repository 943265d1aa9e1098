import RecordModel

/// Rules for the model of an app whose records a library writes.
///
/// Core Data checks a model when a store with CloudKit is loaded, which only signed builds do: a
/// model that it rejects ends the app at its launch, and no build of CI shows it.
extension SchemaRule {
  static let modelNotRead = SchemaRule(
    id: "MODEL_NOT_READ", category: .model, defaultSeverity: .error,
    title: "A declaration of the model was not read",
    effect: """
      None in CloudKit; this is about RecordPack. A model is read without a compiler. Where the code \
      does not tell the type of a property, its field is not checked.
      """,
    remedy: """
      Write the type in the declaration, add the files that declare it, or allow the finding with a \
      comment in the line above: // recordpack:allow MODEL_NOT_READ reason.
      """,
    evidence: [.inference("RecordPack's own limit")],
    check: .model { _, _ in })

  static let modelNotMirrored = SchemaRule(
    id: "MODEL_NOT_MIRRORED", category: .model, defaultSeverity: .error,
    title: "No container of the app is mirrored to CloudKit",
    effect: """
      None in CloudKit. All containers that were read say cloudKitDatabase: .none, or are an \
      NSPersistentContainer; or the app's entitlements do not ask for iCloud. So no record type \
      follows from the model, and nothing was checked.
      """,
    remedy: """
      If a container is mirrored, add the file that makes it, and the app's entitlements. A model of \
      Core Data can be named itself: the .xcdatamodeld. If the app saves its records itself, check its \
      code with recordpack schema scan. If the app does not sync, remove the check.
      """,
    evidence: [
      .apple(
        "[ModelConfiguration.CloudKitDatabase.none]"
          + "(https://developer.apple.com/documentation/swiftdata/modelconfiguration/cloudkitdatabase-swift.struct/none)"
      )
    ],
    check: .model { _, _ in })

  static let modelFieldConflict = SchemaRule(
    id: "MODEL_FIELD_CONFLICT", category: .model, defaultSeverity: .error,
    title: "Two properties of a record type have one field, and different types",
    effect: """
      All entities of a tree of inheritance are stored in the record type of its root. Two of them \
      may have an attribute of one name and different types; CloudKit accepts only the type that \
      was stored first.
      """,
    remedy: "Give one of them another name.",
    evidence: [.mirroringSources, .inference("a field has one type")],
    check: .model { _, _ in })

  static let modelNameReserved = SchemaRule(
    id: "MODEL_NAME_RESERVED", category: .model, defaultSeverity: .error,
    title: "A property has a name that the library uses itself",
    effect: """
      Core Data writes fields of its own: CD_entityName, CD_moveReceipt, and names that end in \
      _ckAsset. An attribute 'entityName', 'moveReceipt' or one that ends in '_ckAsset' has the same \
      field. SQLiteData stores columns under their own names, so a column cannot be called like a \
      property of CKRecord, such as 'recordID'.
      """,
    remedy: "Give the property another name.",
    evidence: [
      .mirroringSources, .inference("two values cannot have one field"),
      .community("\(sqliteData), \"Avoid reserved CloudKit keywords\""),
    ],
    check: .model { model, findings in
      for (entity, name, location) in model.properties where model.reserves(name) {
        findings.report(
          model.subject(entity, name),
          "'\(name)' of '\(entity)' has the name of a field that the library or CloudKit writes",
          hint: "give it another name", location: location)
      }
    })

  static let modelValueRequired = SchemaRule(
    id: "MODEL_VALUE_REQUIRED", category: .model, defaultSeverity: .error,
    title: "An attribute is neither optional nor has a default value",
    effect: """
      A record may arrive without a value, so Core Data rejects the model when it loads a store with \
      CloudKit: "CloudKit integration requires that all attributes be optional, or have a default \
      value set" (error 134060). The app ends at its launch.
      """,
    remedy: "Make it optional, or give it a default value in its declaration.",
    evidence: [.launchChecks, .launchReports],
    check: .model { model, findings in
      guard model.kind != .sqliteData else { return }
      for entity in model.entities {
        for attribute in entity.attributes where !attribute.isOptional && !attribute.hasDefault {
          findings.report(
            model.subject(entity.name, attribute.name),
            "'\(attribute.name)' of '\(entity.name)' is neither optional nor has a default value; Core "
              + "Data rejects the model at launch",
            hint: "make it optional, or give it a default value in its declaration",
            location: attribute.location)
        }
      }
    })

  static let modelRelationshipRequired = SchemaRule(
    id: "MODEL_RELATIONSHIP_REQUIRED", category: .model, defaultSeverity: .error,
    title: "A relationship is not optional",
    effect: """
      Objects arrive one by one, so a relationship may lead nowhere for a time. Core Data rejects \
      the model when it loads a store with CloudKit: "CloudKit integration requires that all \
      relationships be optional" (error 134060).
      """,
    remedy: "Make it optional; in SwiftData, also an array: var items: [Item]? = [].",
    evidence: [.launchChecks, .launchReports],
    check: .model { model, findings in
      guard model.kind != .sqliteData else { return }
      for (entity, relationship) in model.relationships where !relationship.isOptional {
        findings.report(
          model.subject(entity, relationship.name),
          "the relationship '\(relationship.name)' of '\(entity)' is not optional; Core Data rejects the "
            + "model at launch", hint: "make it optional", location: relationship.location)
      }
    })

  static let modelInverseMissing = SchemaRule(
    id: "MODEL_INVERSE_MISSING", category: .model, defaultSeverity: .error,
    title: "A relationship has no inverse",
    effect: """
      Core Data rejects the model when it loads a store with CloudKit: "CloudKit integration requires \
      that all relationships have an inverse" (error 134060).
      """,
    remedy: """
      Add the relationship that leads back; in SwiftData name it with @Relationship(inverse:) if there \
      are several.
      """,
    evidence: [.launchChecks, .launchReports],
    check: .model { model, findings in
      guard model.kind != .sqliteData else { return }
      for (entity, relationship) in model.relationships where relationship.inverse == nil {
        findings.report(
          model.subject(entity, relationship.name),
          "the relationship '\(relationship.name)' of '\(entity)' to '\(relationship.destination)' has no "
            + "inverse; Core Data rejects the model at launch",
          hint: "add a relationship of '\(relationship.destination)' that leads back",
          location: relationship.location)
      }
    })

  static let modelRelationshipOrdered = SchemaRule(
    id: "MODEL_RELATIONSHIP_ORDERED", category: .model, defaultSeverity: .error,
    title: "A relationship is ordered",
    effect: """
      CloudKit does not store the order. Core Data rejects the model when it loads a store with \
      CloudKit: "CloudKit integration does not support ordered relationships" (error 134060).
      """,
    remedy: "Store the order in an attribute of the other entity.",
    evidence: [.launchChecks, .launchReports],
    check: .model { model, findings in
      for (entity, relationship) in model.relationships where relationship.isOrdered {
        findings.report(
          model.subject(entity, relationship.name),
          "the relationship '\(relationship.name)' of '\(entity)' is ordered; Core Data rejects the "
            + "model at launch", hint: "store the order in an attribute",
          location: relationship.location)
      }
    })

  static let modelUnique = SchemaRule(
    id: "MODEL_UNIQUE", category: .model, defaultSeverity: .error,
    title: "Values of a property are unique",
    effect: """
      Two devices can create the same value offline. Core Data rejects the model when it loads a \
      store with CloudKit: "CloudKit integration does not support unique constraints" (error \
      134060). SQLiteData's engine throws an error when it is created.
      """,
    remedy: "Remove the constraint, and remove duplicates in the app.",
    evidence: [
      .launchChecks, .launchReports, .community("\(sqliteData), \"Uniqueness constraints\""),
    ],
    check: .model { model, findings in
      for entity in model.entities {
        for properties in entity.uniqueConstraints {
          let name = properties.first ?? ""
          let location =
            entity.attributes.first { $0.name == name }?.location
            ?? entity.relationships.first { $0.name == name }?.location ?? entity.location
          findings.report(
            model.subject(entity.name, name),
            "'\(properties.joined(separator: ", "))' of '\(entity.name)' is unique; "
              + model.rejection, hint: "remove the constraint", location: location)
        }
      }
    })

  static let modelDeletionDenied = SchemaRule(
    id: "MODEL_DELETION_DENIED", category: .model, defaultSeverity: .error,
    title: "A relationship denies the deletion of an object",
    effect: """
      A deletion on another device cannot be denied. Core Data rejects the model when it loads a \
      store with CloudKit (error 134060). SQLiteData's engine accepts CASCADE, SET NULL and SET \
      DEFAULT for the foreign key of a table that has one.
      """,
    remedy: "Use Nullify or Cascade; in SQLite, SET NULL or CASCADE.",
    evidence: [
      .launchChecks, .community("\(sqliteData), SyncEngine.validateSchema and \"Foreign keys\""),
    ],
    check: .model { model, findings in
      for (entity, relationship) in model.relationships where relationship.deniesDeletion {
        findings.report(
          model.subject(entity, relationship.name),
          "'\(relationship.name)' of '\(entity)' denies deletion; \(model.rejection)",
          hint: model.kind == .sqliteData ? "use ON DELETE CASCADE or SET NULL" : "use Nullify",
          location: relationship.location)
      }
    })

  static let modelTypeUnsupported = SchemaRule(
    id: "MODEL_TYPE_UNSUPPORTED", category: .model, defaultSeverity: .error,
    title: "An attribute has a type that CloudKit cannot store",
    effect: """
      Core Data rejects a model with an attribute of undefined type or of type Object ID when it loads \
      a store with CloudKit (error 134060).
      """,
    remedy: "Give the attribute a type, or make it transient.",
    evidence: [.launchChecks],
    check: .model { _, _ in })

  static let modelPropertyIgnored = SchemaRule(
    id: "MODEL_PROPERTY_IGNORED", category: .model, defaultSeverity: .error,
    title: "A property cannot be left out of CloudKit, or encrypted",
    effect: """
      Core Data can ignore attributes, which must then be optional, but no relationships; and it \
      encrypts attributes only. It rejects other models when it loads a store with CloudKit (error \
      134060).
      """,
    remedy: "Remove the setting, or make the attribute optional.",
    evidence: [.launchChecks],
    check: .model { _, _ in })

  static let modelConfiguration = SchemaRule(
    id: "MODEL_CONFIGURATION", category: .model, defaultSeverity: .error,
    title: "A relationship leads out of the configuration",
    effect: """
      A store with CloudKit has the entities of one configuration. Core Data rejects a relationship \
      to an entity outside of it, and a configuration without entities (error 134060).
      """,
    remedy: "Add the other entity to the configuration, or remove the relationship.",
    evidence: [.launchChecks],
    check: .model { model, findings in
      guard model.kind != .sqliteData else { return }
      let names = Set(model.entities.map(\.name))
      for (entity, relationship) in model.relationships
      where !names.contains(relationship.destination) {
        findings.report(
          model.subject(entity, relationship.name),
          "the relationship '\(relationship.name)' of '\(entity)' leads to '\(relationship.destination)', "
            + "which is not among the entities of the store",
          hint: "add '\(relationship.destination)' to the configuration",
          location: relationship.location)
      }
    })

  static let modelPrimaryKey = SchemaRule(
    id: "MODEL_PRIMARY_KEY", category: .model, defaultSeverity: .error,
    title: "A table has no primary key of one column",
    effect: """
      SQLiteData makes the name of a record from the primary key and the name of the table. A table \
      without a primary key, with one of several columns, or with a colon in its name cannot be \
      synced.
      """,
    remedy: """
      Give the table a primary key of one column, such as "id" TEXT PRIMARY KEY NOT NULL ON CONFLICT \
      REPLACE DEFAULT (uuid()).
      """,
    evidence: [
      .community("\(sqliteData), \"Primary keys on every table\", SyncEngine.validateSchema")
    ],
    check: .model { _, _ in })
}

extension MirroredModel {
  /// The text behind a finding about what the library rejects.
  fileprivate var rejection: String {
    kind == .sqliteData
      ? "SQLiteData's engine throws an error" : "Core Data rejects the model at launch"
  }

  fileprivate var relationships: [(entity: String, relationship: Relationship)] {
    entities.flatMap { entity in entity.relationships.map { (entity.name, $0) } }
  }

  fileprivate var properties: [(entity: String, name: String, location: SchemaLocation?)] {
    entities.flatMap { entity in
      entity.attributes.map { (entity.name, $0.name, $0.location) }
        + (kind == .sqliteData
          ? [] : entity.relationships.map { (entity.name, $0.name, $0.location) })
    }
  }

  fileprivate func subject(_ entity: String, _ property: String) -> SchemaSubject {
    .field(
      kind == .sqliteData ? property : CoreDataNames.field(of: property),
      of: recordType(of: entity))
  }

  fileprivate func reserves(_ name: String) -> Bool {
    if kind == .sqliteData { return SchemaNames.reservedFieldNames.contains(name) }
    let field = CoreDataNames.field(of: name)
    return field == CoreDataNames.entityNameField || field == CoreDataNames.moveReceiptField
      || CoreDataNames.valueField(of: field) != nil
  }
}

extension SchemaRule.Evidence {
  static let launchChecks = Self.community(
    "\(openCloudData), a reconstruction of the mirroring: OCCloudKitModelValidator")

  static let launchReports = Self.server(
    "Core Data's messages with error 134060, in reports of several apps "
      + "([CubeTime pull request 131](https://github.com/CubeLabsNZ/CubeTime/pull/131))"
  )
}
