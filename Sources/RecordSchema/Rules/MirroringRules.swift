import RecordModel

/// Rules for schemas of apps whose records Core Data or SwiftData writes.
extension SchemaRule {
  static let entityNameMissing = SchemaRule(
    id: "ENTITY_NAME_MISSING", category: .validate, defaultSeverity: .error,
    title: "A record type of Core Data has no CD_entityName",
    effect: """
      Core Data writes the name of the object's entity to CD_entityName in every record. Without the \
      field, production rejects every record of the type: "Cannot create or modify field \
      'CD_entityName'". CloudKit's schemas never have such a type unless it was written by hand.
      """,
    remedy: """
      Add CD_entityName STRING QUERYABLE SEARCHABLE SORTABLE. Print the schema of the app's model with \
      recordpack schema print, and import it instead of one that was written by hand.
      """,
    evidence: [.mirroringPage, .mirroringExports, .mirroringSources],
    check: .schema { document, findings in
      let name = CoreDataNames.entityNameField
      for type in document.schema.recordTypes
      where isMirroredEntity(type.name) && type.field(named: name)?.type.shape != .string {
        findings.report(
          .field(name, of: type.name),
          "the record type '\(type.name)' has no CD_entityName STRING, which Core Data writes in every "
            + "record", hint: "add CD_entityName STRING QUERYABLE SEARCHABLE SORTABLE",
          at: type.nameSpan)
      }
    })

  static let mirroredFieldType = SchemaRule(
    id: "MIRRORED_FIELD_TYPE", category: .validate, defaultSeverity: .error,
    title: "A field of Core Data has a type that Core Data never writes",
    effect: """
      Core Data writes STRING, INT64, DOUBLE, TIMESTAMP and BYTES, and ASSET to fields whose names end \
      in _ckAsset. A to-one relationship is the name of the other record, a STRING, never a \
      REFERENCE. Production rejects each record with such a field: "invalid attempt to set value type \
      STRING for field 'CD_bottle' for type 'CD_Photo', defined to be: REFERENCE". Once deployed, \
      the type cannot be changed: the app needs another attribute, or another container.
      """,
    remedy: """
      Before the schema is deployed, give the field the type that recordpack schema print shows for the \
      app's model. After that, rename the attribute or the relationship.
      """,
    evidence: [
      .mirroringPage, .mirroringExports,
      .server("the app BottleKeep had to move to a second container"),
    ],
    check: .fields(at: \.typeSpan) { field, type in
      guard isMirroredEntity(type), field.name.hasPrefix(CoreDataNames.prefix) else { return nil }
      let isAsset = CoreDataNames.valueField(of: field.name) != nil
      let allowed: Set<CloudSchema.Primitive> =
        isAsset ? [.asset] : [.string, .int64, .double, .timestamp, .bytes]
      if !field.type.isList, allowed.contains(field.type.primitive) { return nil }
      if field.type == .reference {
        return Note(
          "the field '\(field.name)' of '\(type)' is a REFERENCE; Core Data writes the name of the "
            + "other record, a STRING", hint: "write \(field.name) STRING")
      }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.type), which Core Data never writes to it",
        hint: isAsset ? "write \(field.name) ASSET" : "see recordpack schema print MODEL")
    })

  static let companionWithoutField = SchemaRule(
    id: "COMPANION_WITHOUT_FIELD", category: .validate, defaultSeverity: .warning,
    title: "A field for large values has no field of its own",
    effect: """
      Core Data writes CD_title_ckAsset in place of CD_title where the value is large. CD_title must \
      be a STRING or BYTES. Where it is missing, production rejects all objects with a short value; \
      where it is a number or a date, the field for large values is never written.
      """,
    remedy: "Add the field without _ckAsset. An unused field for large values is harmless.",
    evidence: [.mirroringPage, .mirroringSources, .mirroringExports],
    check: .schema { document, findings in
      for type in document.schema.recordTypes where isMirroredEntity(type.name) {
        var known: [ExactString: CloudSchema.Primitive] = [:]
        for field in type.fields { known[ExactString(field.name)] = field.type.primitive }
        for field in type.fields {
          guard let name = CoreDataNames.valueField(of: field.name) else { continue }
          let found = known[ExactString(name)]
          if found == .string || found == .bytes { continue }
          findings.report(
            .field(field.name, of: type.name),
            found.map {
              "'\(field.name)' of '\(type.name)' is for large values of '\(name)', which is "
                + "\($0.rawValue) and never has any"
            } ?? "'\(field.name)' of '\(type.name)' has no field '\(name)' beside it",
            hint: found == nil ? "add \(name)" : nil, at: field.nameSpan)
        }
      }
    })

  static let linkFieldMissing = SchemaRule(
    id: "LINK_FIELD_MISSING", category: .validate, defaultSeverity: .error,
    title: "The record type of many-to-many relationships lacks a field",
    effect: """
      A record of type CDMR is one link of a many-to-many relationship. It has three texts: \
      CD_entityNames, CD_recordNames and CD_relationships. Where production lacks one, it rejects all \
      links, and the objects arrive without their relationship.
      """,
    remedy: "Give CDMR the three fields, each STRING QUERYABLE SEARCHABLE SORTABLE.",
    evidence: [.mirroringPage, .mirroringSources],
    check: .schema { document, findings in
      for type in document.schema.recordTypes where type.name == CoreDataNames.linkType {
        for name in CoreDataNames.linkFields
        where type.field(named: name)?.type.shape != .string {
          findings.report(
            .field(name, of: type.name),
            "the record type CDMR has no \(name) STRING, which every link has",
            hint: "add \(name) STRING QUERYABLE SEARCHABLE SORTABLE")
        }
      }
    })

  static let moveReceiptMissing = SchemaRule(
    id: "MOVE_RECEIPT_MISSING", category: .validate, defaultSeverity: .warning,
    title: "An app shares objects, and a record type has no CD_moveReceipt",
    effect: """
      Sharing an object moves it and what belongs to it to a zone of its own. Core Data writes \
      CD_moveReceipt in each record that moves. Without the field, production rejects these records: \
      "Cannot create or modify field 'CD_moveReceipt'". The invitation works, and its content never \
      arrives.
      """,
    remedy: """
      Add CD_moveReceipt BYTES QUERYABLE SORTABLE and CD_moveReceipt_ckAsset ASSET to the types of all \
      objects that can be shared, or belong to such an object.
      """,
    evidence: [
      .mirroringSources,
      .server("several apps quote the message; one shipped a release without the field"),
    ],
    check: .schema { document, findings in
      let types = document.schema.recordTypes
      guard types.contains(where: { $0.name == SchemaNames.managedPrefix + "share" }) else {
        return
      }
      for type in types
      where isMirroredEntity(type.name) && type.field(named: CoreDataNames.moveReceiptField) == nil
      {
        findings.report(
          .field(CoreDataNames.moveReceiptField, of: type.name),
          "the schema has cloudkit.share, and '\(type.name)' has no CD_moveReceipt, which an object "
            + "has that was shared", hint: "add CD_moveReceipt BYTES QUERYABLE SORTABLE",
          at: type.nameSpan)
      }
    })

  // MARK: - Production and a model

  static let companionNotDeployed = SchemaRule(
    id: "COMPANION_NOT_DEPLOYED", category: .client, defaultSeverity: .warning,
    title: "Production cannot store large values of an attribute",
    effect: """
      Core Data stores the values of a record in a file each where together they have more than \
      700,000 bytes, under names that end in _ckAsset. It is a warning if a value can be that large: \
      data, a transformable value, or a text with a name such as 'body' or 'notes'; a note otherwise. \
      In development the server creates such a \
      field with the first large value, which tests seldom have. In production, the first large \
      value fails with "Cannot create or modify field 'CD_text_ckAsset'".
      """,
    remedy: """
      Import the schema that recordpack schema print shows for the model into development, or run \
      initializeCloudKitSchema() there, and deploy it.
      """,
    evidence: [
      .mirroringPage, .mirroringSources,
      .inference("the size is that of the reconstructed serializer: 0xaae60 bytes"),
    ],
    check: .modelInProduction { model, production, findings in
      for (type, fields) in MirroredSchema(model).elements where production[type] != nil {
        let missing = fields.filter {
          $0.level == .companion && production.field(named: $0.field.name, of: type) == nil
        }
        let large = missing.filter(\.mayBeLarge)
        guard let first = large.first ?? missing.first else { continue }
        let names = (large + missing.filter { !$0.mayBeLarge }).map(\.field.name)
        findings.report(
          .type(type),
          "production has no field for large values of " + Phrase.count(missing.count, "attribute")
            + " of '\(type)': \(names.joined(separator: ", ")); the first object whose values have more "
            + "than 700,000 bytes fails with: "
            + ServerMessage.cannotCreateField(first.field.name, in: type),
          hint: "deploy the fields, each an ASSET", location: first.location,
          severity: large.isEmpty ? .note : nil)
      }
    })

  static let moveReceiptNotDeployed = SchemaRule(
    id: "MOVE_RECEIPT_NOT_DEPLOYED", category: .client, defaultSeverity: .warning,
    title: "Production cannot store an object that was shared",
    effect: """
      Sharing an object moves it and what belongs to it to a zone of its own, with a CD_moveReceipt in \
      each record. Where production lacks the field, the link of the share exists and its content \
      never arrives: "Cannot create or modify field 'CD_moveReceipt'". Checked if the code shares, \
      or production has cloudkit.share.
      """,
    remedy: """
      Import the schema that recordpack schema print shows for the model into development, or run \
      initializeCloudKitSchema() there, and deploy it.
      """,
    evidence: [
      .mirroringSources,
      .server("several apps quote the message; one shipped a release without the field"),
    ],
    check: .modelInProduction { model, production, findings in
      // SwiftData shares no objects: shares are of records that the app saves itself.
      let hasShares = production[SchemaNames.managedPrefix + "share"] != nil
      guard model.sharing != nil || hasShares && model.kind != .swiftData else { return }
      reportMissing(.moveReceipt, of: model, in: production, &findings) { field, type in
        // The file is written for receipts of many moves only.
        guard field == CoreDataNames.moveReceiptField else { return nil }
        return
          "production has no field '\(field)' in '\(type)'; an object that is shared fails with: "
          + ServerMessage.cannotCreateField(field, in: type)
      }
    })

  static let linkTypeNotDeployed = SchemaRule(
    id: "LINK_TYPE_NOT_DEPLOYED", category: .client, defaultSeverity: .warning,
    title: "Production cannot store many-to-many relationships",
    effect: """
      Core Data stores each link of a many-to-many relationship as a record of type CDMR. The first \
      link fails with "Cannot create new type CDMR in production schema": objects are synced, and \
      lose the relationship.
      """,
    remedy: "Link two objects in development, or import the full schema there, and deploy it.",
    evidence: [.mirroringPage, .mirroringSources],
    check: .modelInProduction { model, production, findings in
      let type = CoreDataNames.linkType
      let links = MirroredSchema(model).elements.first { $0.recordType == type }
      if let link = links?.fields.first, production[type] == nil {
        return findings.report(
          .type(type),
          "production has no record type '\(type)'; the first link of a many-to-many relationship fails "
            + "with: " + ServerMessage.cannotCreateType(type),
          hint: "deploy \(type) with its three fields", location: link.location)
      }
      reportMissing(.link, of: model, in: production, &findings) { field, type in
        "production has no field '\(field)' in '\(type)'; the first link of a many-to-many "
          + "relationship fails with: " + ServerMessage.cannotCreateField(field, in: type)
      }
    })

  // MARK: - Source code

  static let mirroringNotScanned = SchemaRule(
    id: "MIRRORING_NOT_SCANNED", category: .client, defaultSeverity: .error,
    title: "A library writes the app's records, and a scan of its code does not see them",
    effect: """
      With Core Data, SwiftData or SQLiteData, an app has no code that names record types and fields: \
      they follow from its model. A scan of the code says nothing about them.
      """,
    remedy: """
      Check the model: recordpack schema diff production.ckdb App/Models. Allow this finding with a \
      comment once that is done elsewhere.
      """,
    evidence: [.inference("RecordPack's own limit")],
    check: .reportedElsewhere([]))

  static let noUseRecognised = SchemaRule(
    id: "NO_USE_RECOGNISED", category: .client, defaultSeverity: .error,
    title: "No use of a record was recognised in code",
    effect: """
      None in CloudKit. The scan has checked nothing: a layer of the app, or a package, hides its \
      records, or the code has nothing to do with CloudKit.
      """,
    remedy: """
      Scan the code of that layer too. If its keys are passed as parameters, check stored records \
      instead: recordpack validate.
      """,
    evidence: [.inference("RecordPack's own limit")],
    check: .reportedElsewhere([]))

  // MARK: - Parts of rules

  /// Whether a record type is that of an entity, not of links.
  private static func isMirroredEntity(_ type: String) -> Bool {
    type.hasPrefix(CoreDataNames.prefix) && !CoreDataNames.isLink(type)
  }

  /// Reports fields of a level that production lacks. A record type that is missing as a whole is a
  /// finding of its own.
  private static func reportMissing(
    _ level: MirroredSchema.Level, of model: MirroredModel, in production: SchemaIndex,
    _ findings: inout FindingCollector,
    message: (_ field: String, _ type: String) -> String?
  ) {
    for (type, fields) in MirroredSchema(model).elements {
      guard production[type] != nil else { continue }
      for element in fields where element.level == level {
        guard production.field(named: element.field.name, of: type) == nil,
          let message = message(element.field.name, type)
        else { continue }
        findings.report(
          .field(element.field.name, of: type), message,
          hint: "deploy \(element.field.name) \(element.field.type)", location: element.location)
      }
    }
  }
}

extension SchemaRule.Evidence {
  static let mirroringPage = Self.apple(
    coreDataRecords)

  static let mirroringExports = Self.corpus(
    "466 fields of seven exports of mirrored containers, beside their models")

  static let mirroringSources = Self.community(
    "\(openCloudData), a reconstruction of the mirroring: OCCloudKitSerializer, OCCloudKitModelValidator"
  )
}
