import RecordModel

extension AnonymisationPolicy {
  /// Whether values or names stay.
  var keepsValues: Bool {
    defaultRule == .keep || !keptNames.isEmpty
      || rules.values.contains { $0.values.contains { $0.rule.keepsValues } }
  }

  /// The person that a record is of: by the field that the policy names, else the creator, else the owner of its
  /// zone.
  ///
  /// - Parameter currentUser: The record name of the signed-in user.
  func person(of storage: any RecordStorage, currentUser: String?) -> String {
    if let named = personInField(of: storage, currentUser: currentUser) { return named }
    let name = storage.created?.userRecordName ?? storage.zoneID.ownerName
    return name == ZoneID.currentUserOwnerName ? currentUser ?? name : name
  }

  /// The person that the policy's field names, also the signed-in one; nil without one.
  func personInField(of storage: any RecordStorage, currentUser: String?) -> String? {
    let name = nameOfPerson(in: storage)
    return name == ZoneID.currentUserOwnerName ? currentUser ?? name : name
  }

  private func nameOfPerson(in storage: any RecordStorage) -> String? {
    if storage.recordType == UserRecord.recordType { return storage.recordID.recordName }
    guard let name = personField(of: storage.recordType) else { return nil }
    if name == Self.recordNameField { return storage.recordID.recordName }
    guard let index = storage.index(of: name) else { return nil }
    return switch storage.field(at: index).value {
    case .string(let text): text
    case .int64(let number): String(number)
    case .reference(let reference): reference.recordID.recordName
    default: nil
    }
  }
}
