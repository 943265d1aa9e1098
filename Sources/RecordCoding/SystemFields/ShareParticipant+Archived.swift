import RecordModel

/// An enumeration of CloudKit that is archived as a number.
private protocol Archived: RawRepresentable<String> {
  /// The cases in the order of CloudKit's numbers, starting at 0 (unknown).
  static var archived: [Self] { get }
}

extension Archived {
  fileprivate init(number: Int64?) {
    let index = number.flatMap(Int.init(exactly:)) ?? 0
    self = Self.archived[Self.archived.indices.contains(index) ? index : 0]
  }

  fileprivate var number: Int64 {
    Int64(Self.archived.firstIndex { $0.rawValue == rawValue } ?? 0)
  }
}

extension ShareParticipant.Role: Archived {
  fileprivate static var archived: [Self] {
    [.unknown, .owner, .administrator, .privateUser, .publicUser]
  }

  /// Creates the case for a number of `CKShareParticipantRole`; unknown for other numbers.
  init(archived number: Int64?) { self.init(number: number) }
  /// The number of `CKShareParticipantRole`.
  var archivedNumber: Int64 { number }
}

extension ShareParticipant.Permission: Archived {
  fileprivate static var archived: [Self] { [.unknown, .none, .readOnly, .readWrite] }

  /// Creates the case for a number of `CKShareParticipantPermission`; unknown for other numbers.
  init(archived number: Int64?) { self.init(number: number) }
  /// The number of `CKShareParticipantPermission`.
  var archivedNumber: Int64 { number }
}

extension ShareParticipant.AcceptanceStatus: Archived {
  // Only Web Services have `unsubscribed`; archives contain `removed`.
  fileprivate static var archived: [Self] { [.unknown, .pending, .accepted, .removed] }

  /// Creates the case for a number of `CKShareParticipantAcceptanceStatus`; unknown for other
  /// numbers.
  init(archived number: Int64?) { self.init(number: number) }
  /// The number of `CKShareParticipantAcceptanceStatus`.
  var archivedNumber: Int64 {
    self == .unsubscribed ? Self.removed.number : number
  }
}
