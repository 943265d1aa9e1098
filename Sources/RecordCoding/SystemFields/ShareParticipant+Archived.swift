import RecordModel

/// An enumeration of CloudKit that is archived as a number.
protocol ArchivedAsNumber: Equatable {
  /// The cases in the order of CloudKit's numbers, starting at 0 (unknown).
  static var archived: [Self] { get }
}

extension ArchivedAsNumber {
  /// Creates the case for a number; unknown for nil and numbers without a case.
  init(archived number: Int64?) {
    let index = number.flatMap(Int.init(exactly:)) ?? 0
    self = Self.archived[Self.archived.indices.contains(index) ? index : 0]
  }

  /// The number of the case in archives.
  var archivedNumber: Int64 { Int64(Self.archived.firstIndex(of: self) ?? 0) }
}

extension ShareParticipant.Role: ArchivedAsNumber {
  static var archived: [Self] { [.unknown, .owner, .administrator, .privateUser, .publicUser] }
}

extension ShareParticipant.Permission: ArchivedAsNumber {
  static var archived: [Self] { [.unknown, .none, .readOnly, .readWrite] }
}

extension ShareParticipant.AcceptanceStatus: ArchivedAsNumber {
  // Only Web Services have `unsubscribed`; archives contain `removed`, which has the same number.
  static var archived: [Self] { [.unknown, .pending, .accepted, .removed] }

  var archivedNumber: Int64 {
    Int64(Self.archived.firstIndex(of: self == .unsubscribed ? .removed : self) ?? 0)
  }
}
