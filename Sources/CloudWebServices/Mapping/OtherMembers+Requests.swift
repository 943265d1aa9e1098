import RecordCoding
import RecordModel

/// What a request has beside the members that are known is neither stored nor sent back.
///
/// Each function returns the value without other members, and adds their names to a list.
extension RecordValue {
  func known(_ others: inout [String]) -> RecordValue {
    switch self {
    case .location(let location): .location(location.known(&others))
    case .locationList(let locations): .locationList(locations.map { $0.known(&others) })
    case .reference(let reference): .reference(reference.known(&others))
    case .referenceList(let references): .referenceList(references.map { $0.known(&others) })
    default: self
    }
  }
}

extension Location {
  func known(_ others: inout [String]) -> Location {
    var result = self
    result.otherMembers = others.taking(otherMembers)
    return result
  }
}

extension Reference {
  func known(_ others: inout [String]) -> Reference {
    Reference(
      recordID: recordID, action: action, otherMembers: others.taking(otherMembers))
  }
}

extension Field {
  func known(_ others: inout [String]) -> Field {
    _ = others.taking(otherMembers)
    return Field(name: name, value: value.known(&others), isEncrypted: isEncrypted)
  }
}

// MARK: Queries and subscriptions

extension RecordQuery {
  func known(_ others: inout [String]) -> RecordQuery {
    var result = self
    result.otherMembers = others.taking(otherMembers)
    result.filters = filters.map { filter in
      _ = others.taking(filter.otherMembers)
      return QueryFilter(
        filter.comparator, filter.field.known(&others), distance: filter.distance,
        otherMembers: [])
    }
    result.sort = sort.map { sort in
      var result = sort
      result.otherMembers = others.taking(sort.otherMembers)
      result.relativeLocation = sort.relativeLocation?.known(&others)
      return result
    }
    return result
  }
}

extension CloudSubscription {
  func known(_ others: inout [String]) -> CloudSubscription {
    var result = self
    result.otherMembers = others.taking(otherMembers)
    if case .query(let query, let zoneID, let firesOn, let firesOnce) = kind {
      result.kind = .query(
        query.known(&others), zoneID: zoneID, firesOn: firesOn, firesOnce: firesOnce)
    }
    if let info = notificationInfo {
      result.notificationInfo?.otherMembers = others.taking(info.otherMembers)
    }
    return result
  }
}

// MARK: Shares

extension Share {
  func known(_ others: inout [String]) -> Share {
    var result = self
    result.participants = participants.map { $0.known(&others) }
    result.owner = owner?.known(&others)
    result.currentUserParticipant = currentUserParticipant?.known(&others)
    return result
  }
}

extension ShareParticipant {
  fileprivate func known(_ others: inout [String]) -> ShareParticipant {
    var result = self
    result.otherMembers = others.taking(otherMembers)
    var identity = userIdentity
    identity.otherMembers = others.taking(identity.otherMembers)
    if let names = identity.nameComponents {
      identity.nameComponents?.otherMembers = others.taking(names.otherMembers)
    }
    if let lookupInfo = identity.lookupInfo {
      identity.lookupInfo?.otherMembers = others.taking(lookupInfo.otherMembers)
    }
    result.userIdentity = identity
    return result
  }
}

extension [String] {
  /// Adds the names of members. Returns none of them.
  fileprivate mutating func taking(_ members: OtherMembers) -> OtherMembers {
    self += members.map(\.name)
    return []
  }
}
