import RecordCoding
import RecordModel

/// What an index of the container file is about.
///
/// An index is made by a scan of the records when it is first needed. From then on every save and
/// deletion keeps it up to date. An import or migration drops all indexes, so that it costs no more
/// than without.
package struct RecordIndex: Hashable, Sendable {
  /// The kinds of indexes, with their numbers in the file.
  package enum Kind: Int64, Sendable, CaseIterable {
    /// Children, by their parents. References to other zones are not among them.
    case parent = 0
    /// Records that are deleted with others (`DELETE_SELF`), by these.
    case owner = 1
    /// Records of a type, by the value of a field: one entry for each record.
    case value = 2
    /// Records of a type, by the elements of a list: one entry for each different element.
    case element = 3
    /// Records of a type, by the words in their text: one entry for each different word.
    case word = 4
    /// Records of a type, by their names: one entry for each record.
    case name = 5
    /// The records that shares share, by their shares.
    case share = 6
    /// Shares, by the record names of the users who have accepted them.
    case participant = 7

    /// Whether an index has records of all types.
    var isOfAllTypes: Bool {
      self == .parent || self == .owner || self == .share || self == .participant
    }
  }

  let kind: Kind
  /// The record type; empty for an index of all types.
  @ExactText private(set) var recordType: String
  /// The schema's name of the field; empty for an index without one.
  @ExactText private(set) var field: String

  init(_ kind: Kind, of recordType: String = "", field: String = "") {
    self.kind = kind
    _recordType = ExactText(wrappedValue: recordType)
    _field = ExactText(wrappedValue: field)
  }

  /// Returns the keys of a record's entries, each once.
  func keys(of record: ResultRecord) -> [IndexKey] {
    let zoneID = record.recordID.zoneID
    switch kind {
    case .parent: return record.parent.map { Self.link($0, from: zoneID) } ?? []
    case .share: return record.share.map { Self.link($0, from: zoneID) } ?? []
    case .participant: return Self.unique(record.acceptingUsers.map(IndexKey.init(user:)))
    case .owner:
      return Self.unique(
        record.fields.flatMap { $0.value.references }.filter { $0.action == .deleteSelf }
          .flatMap { Self.link($0, from: zoneID) })
    case .value: return [record.sortKey(of: field)]
    case .element:
      return Self.unique(
        (record.queryValue(of: field)?.elements ?? []).compactMap { IndexKey($0, in: zoneID) })
    case .word:
      return Self.unique(record.searchedTexts(in: nil, nil).flatMap(TextTokens.keys))
    case .name: return [.missing]
    }
  }

  private static func link(_ reference: Reference, from zoneID: ZoneID) -> [IndexKey] {
    guard reference.recordID.zoneID == zoneID else { return [] }
    return [IndexKey(referenceTo: reference.recordID, in: zoneID)]
  }

  private static func unique(_ keys: [IndexKey]) -> [IndexKey] {
    var known: Set<IndexKey> = []
    return keys.count < 2 ? keys : keys.filter { known.insert($0).inserted }
  }
}

extension IndexKey {
  /// The key of a user.
  init(user recordName: String) { self.init(bytes: [Kind.string.rawValue] + recordName.utf8) }
}

extension ResultRecord {
  /// The record names of the users who have accepted a share, without its owner; empty for other
  /// records.
  package var acceptingUsers: [String] {
    guard isShare, let share = shareInfo else { return [] }
    return share.participants.filter { $0.role != .owner && $0.acceptanceStatus == .accepted }
      .compactMap(\.userIdentity.userRecordName)
  }
}

extension RecordIndex: CustomStringConvertible {
  /// The name of the index in messages.
  package var description: String {
    switch kind {
    case .parent: "the index of children"
    case .owner: "the index of owning references"
    case .share: "the index of shared records"
    case .participant: "the index of participants"
    case .value: "the index of '\(field)' in '\(recordType)'"
    case .element: "the index of elements of '\(field)' in '\(recordType)'"
    case .word: "the index of words in '\(recordType)'"
    case .name: "the index of names in '\(recordType)'"
    }
  }
}
