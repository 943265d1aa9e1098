import CloudInterface
import RecordModel
import RecordSchema

/// A condition for saving a record.
///
/// Each rule names its source.
struct SaveRule: Sendable {
  /// Checks a record.
  ///
  /// Throws the error of the record; another error fails the request.
  let check: @Sendable (SaveCandidate, ModifyRequest) throws -> Void

  /// The rules about a record and what is stored, in the order in which they are checked.
  static let own: [SaveRule] = [
    .readable, .zoneExists, .sharedRecord, .shareZone, .recordType, .grants, .userRecord,
    .changeTag,
    .shareParticipants,
    .systemFields,
    .limits, .encryption, .assets, .referenceZones,
  ]

  /// The rules about a record and the others of its request, checked after ``own`` of all records.
  static let related: [SaveRule] = [
    .sharedParent, .referenceTargets, .owners, .shareRoot, .oneShare, .owningReferences,
  ]

  /// The stored record can be read, or is replaced: its damage is no error of the request's other
  /// records.
  static let readable = SaveRule { save, _ in
    if let error = save.rejection { throw error }
    if let damage = save.damage, save.policy != .allKeys { throw damage.cloudError }
  }

  /// The zone of the record exists.
  ///
  /// Source: Apple's documentation of `CKError.Code.zoneNotFound`.
  static let zoneExists = SaveRule { save, request in
    try request.checkZone(save.recordID.zoneID)
  }

  /// A record keeps its type.
  ///
  /// Source: the server's message, reported for `invalidArguments` by several apps.
  static let recordType = SaveRule { save, _ in
    guard let stored = save.stored, !stored.recordType.sameScalars(as: save.draft.recordType)
    else { return }
    throw CloudError(
      .invalidArguments,
      "invalid attempt to update record from type '\(stored.recordType)' to "
        + "'\(save.draft.recordType)'")
  }

  /// The user may create or change the record. See ``GrantRule``.
  static let grants = SaveRule { save, request in
    try request.grants?.check(saving: save.draft, over: save.stored)
  }

  /// Of several users, each changes the own user record only, also in a container without a schema.
  ///
  /// Source: the grants of the type `Users` in exported schemas: everyone reads, the creator writes.
  static let userRecord = SaveRule { save, request in
    try request.checkUserRecord(save.recordID, save.draft.recordType)
  }

  /// The change tag of the draft is that of the stored record, as far as the save policy asks.
  ///
  /// | stored | tag of the draft | `ifServerRecordUnchanged` | `changedKeys`, `allKeys` |
  /// |---|---|---|---|
  /// | yes | equal | saved | saved |
  /// | yes | different | `serverRecordChanged` | saved |
  /// | yes | none | ``ServerRules/untaggedSave-swift.property`` | saved |
  /// | no | any | `unknownItem` | ``ServerRules/missingRecord-swift.property`` |
  /// | no | none | created | created |
  ///
  /// Sources: sqlite-data's `MockCloudDatabase`, Apple's own mock of the server (CKKS), and Apple's
  /// documentation of `CKModifyRecordsOperation.RecordSavePolicy`. The policy
  /// `ifServerRecordUnchanged` always applies to a share (`CKShare`). Messages: SyncKit #8 and
  /// #111, sqlite-data #411.
  static let changeTag = SaveRule { save, request in
    let isJudged = save.policy == .ifServerRecordUnchanged
    guard let stored = save.stored else {
      guard save.draft.recordChangeTag != nil, save.damage == nil else { return }
      guard !isJudged, request.rules.missingRecord == .created else {
        throw CloudError.unknownItem(save.recordID, in: request.scope)
      }
      return
    }
    guard isJudged else { return }
    var conflict: CloudError.Conflict {
      save.conflict(with: request.transaction.shown(stored), request.rules)
    }
    guard let tag = save.draft.recordChangeTag else {
      let isChange = request.rules.untaggedSave == .serverRecordChanged
      throw CloudError(
        isChange ? .serverRecordChanged : .serverRejectedRequest,
        "record to insert already exists", conflict: conflict)
    }
    guard stored.recordChangeTag?.sameScalars(as: tag) == true else {
      throw CloudError(
        .serverRecordChanged, "client oplock error updating record",
        conflict: conflict)
    }
  }

  /// A field does not have a name of the server's: one that starts with `_`, or a property of
  /// `CKRecord` (``ServerRules/reservedFieldNames-swift.property``).
  ///
  /// Sources: the server's message in IceCream #260; sqlite-data #214.
  static let systemFields = SaveRule { save, request in
    if let field = save.draft.fields.first(where: { $0.name.hasPrefix("_") }) {
      throw CloudError(
        .permissionFailure, "Unprivileged attempt to insert a system field: \(field.name)")
    }
    guard request.rules.reservedFieldNames == .refused,
      let field = save.sentFields.first(where: { SchemaNames.reservedFieldNames.contains($0.name) })
    else { return }
    throw CloudError(
      .invalidArguments,
      "'\(field.name)' is a property of every record and cannot be the name of a field")
  }

  /// The record, as it will be stored, is within the limits on records, names and assets.
  ///
  /// Sources: `RecordLimits`; the message about the size is in Apple's TN3164 and in
  /// sample-cloudkit-sync-engine #7; a name that no type can have is that of an unknown one
  /// (OpenCloudKit, `testCreateRecordUnknownType`).
  static let limits = SaveRule { save, request in
    let record = save.merged
    do {
      try request.rules.recordLimits.check(
        record.recordID, record.recordType, record.allFields, isStored: save.stored != nil)
    } catch var error as CloudError {
      switch error.violation?.limit {
      case .recordSize: error.message = "record too large"
      case .recordTypeCharacters:
        error = CloudError(.unknownItem, ServerMessage.typeNotFound(record.recordType))
      default: break
      }
      throw error
    }
  }

  /// No record of the public database has encrypted fields.
  ///
  /// Source: Apple's documentation of `CKRecord.encryptedValues`; the message was seen by MistKit
  /// (`encrypted-fields-adp-probe`).
  static let encryption = SaveRule { save, request in
    guard request.scope == .public, save.draft.fields.contains(where: \.isEncrypted) else {
      return
    }
    throw CloudError.encryptedInPublic
  }

  /// Each asset has content, or is one that the container stores or the record had.
  ///
  /// Source: Apple's documentation of `CKError.Code.assetFileNotFound`.
  static let assets = SaveRule { save, request in
    try request.transaction.container.checkAssets(of: save.merged, over: save.stored)
  }

  /// The parent and the share of a record, and targets of references that are to be validated, are
  /// stored or saved by the same request, in any order. Other references may lead nowhere.
  ///
  /// Sources: `CKErrorReferenceViolation` in Apple's `CKError.h`; sqlite-data's `MockCloudDatabase`.
  static let referenceTargets = SaveRule { save, request in
    let record = save.merged
    // References to records above it stay in the zone. The message is not the server's.
    var known: [RecordID] { save.stored?.targets.map(\.recordID) ?? [] }
    for link in [record.parent, record.share].compactMap(\.self)
    where link.recordID.zoneID != record.recordID.zoneID && !known.contains(link.recordID) {
      throw CloudError(
        .invalidArguments,
        "record '\(save.recordID)' refers to '\(link.recordID)' as its parent or share, which is in "
          + "another zone")
    }
    // The user may not see the targets that were there before.
    let unseen = request.scope == .shared ? known : []
    for (target, name) in record.targets
    where try !(unseen.contains(target) ? request.willExist(target) : request.willBeSeen(target)) {
      throw CloudError(
        .referenceViolation,
        "the \(name) of record '\(save.recordID)', '\(target)', is not in the "
          + "\(request.scope.rawValue) database")
    }
  }

  /// A reference in a field leads into the record's own zone. One that the record has already stays.
  ///
  /// Sources: Apple's documentation of `CKRecordZone`; an Apple engineer in the Developer Forums
  /// (806109). The message is not the server's.
  static let referenceZones = SaveRule { save, _ in
    for field in save.sentFields {
      let known = save.stored?.field(named: field.name)?.value.references ?? []
      for reference in field.value.references
      where reference.recordID.zoneID != save.recordID.zoneID
        && !known.contains(where: { $0.recordID == reference.recordID })
      {
        throw CloudError(
          .invalidArguments,
          "field '\(field.name)' of record '\(save.recordID)' refers to '\(reference.recordID)', "
            + "which is in another zone")
      }
    }
  }

  /// The target of a reference with `deleteSelf` exists, or the request saves it. A reference that the
  /// record has already stays. The message is not the server's.
  ///
  /// Sources: ``ServerRules/missingOwner``.
  static let owners = SaveRule { save, request in
    guard request.rules.missingOwner == .referenceViolation, !save.owners.isEmpty else { return }
    let before = save.stored.map { Set($0.owners) } ?? []
    for owner in save.owners.subtracting(before).sorted() where try !request.willBeSeen(owner) {
      throw CloudError(
        .referenceViolation,
        "record '\(save.recordID)' refers with deleteSelf to '\(owner)', which is not in the "
          + "\(request.scope.rawValue) database; save it first, or in the same request")
    }
  }

  /// At most 750 records refer to one record with `deleteSelf`.
  ///
  /// Sources: Apple's documentation of `CKRecord.Reference`; the message in SyncKit #192.
  static let owningReferences = SaveRule { save, request in
    guard !save.owners.isEmpty else { return }
    let before = save.stored.map { Set($0.owners) } ?? []
    for owner in save.owners where !before.contains(owner) {
      let count = try request.referrers(to: owner, as: .owner, upTo: save).count
      guard count > request.rules.maxOwningReferences
      else { continue }
      throw CloudError(
        .limitExceeded, "Limit exceeded for number of owning references to single record")
    }
  }
}

extension ModifyRequest {
  /// - Throws: `zoneNotFound` or `userDeletedZone`.
  func checkZone(_ zoneID: ZoneID) throws {
    guard !checkedZones.contains(zoneID) else { return }
    guard try transaction.zone(zoneID) != nil else { throw try transaction.missingZone(zoneID) }
    checkedZones.insert(zoneID)
  }

  /// - Throws: `permissionFailure` for another user's record.
  func checkUserRecord(_ recordID: RecordID, _ recordType: String) throws {
    let view = transaction.view
    guard scope == .public, view.hasOthers, recordType == UserRecord.recordType,
      !recordID.recordName.sameScalars(as: view.user)
    else { return }
    throw CloudError(
      .permissionFailure, "the user record '\(recordID.recordName)' is changed by its user only")
  }
}

extension SaveCandidate {
  fileprivate func conflict(
    with stored: ResultRecord, _ rules: ServerRules
  ) -> CloudError.Conflict {
    CloudError.Conflict(
      serverRecord: rules.sendsServerRecord ? stored : nil, clientRecord: draft,
      ancestorRecord: rules.sendsAncestorRecord ? draft.base : nil)
  }
}

extension ResultRecord {
  /// The records that have to exist, and what they are to this one.
  fileprivate var targets: [(recordID: RecordID, name: String)] {
    var targets: [(recordID: RecordID, name: String)] = []
    if let parent { targets.append((parent.recordID, "parent")) }
    if let share { targets.append((share.recordID, "share")) }
    for (field, reference) in references where reference.action == .validate {
      targets.append((reference.recordID, "target of field '\(field.string)'"))
    }
    return targets
  }

  /// The records of its zone that this one is deleted with.
  var owners: [RecordID] {
    let owners = references.map(\.reference).filter { $0.action == .deleteSelf }.map(\.recordID)
    return owners.isEmpty ? [] : owners.filter { $0.zoneID == recordID.zoneID }
  }
}
