import RecordModel

/// The subject of an index of the container file: a link, or a field of a record type.
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
    /// Records, by those that their fields refer to. References to other zones are not among them.
    case reference = 8

    /// Whether an index has records of all types.
    var isOfAllTypes: Bool {
      switch self {
      case .parent, .owner, .share, .participant, .reference: true
      case .value, .element, .word, .name: false
      }
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
        record.references.filter { $0.reference.action == .deleteSelf }
          .flatMap { Self.link($0.reference, from: zoneID) })
    case .reference:
      return Self.unique(record.references.flatMap { Self.link($0.reference, from: zoneID) })
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
    case .reference: "the index of references"
    case .value: "the index of '\(field)' in '\(recordType)'"
    case .element: "the index of elements of '\(field)' in '\(recordType)'"
    case .word: "the index of words in '\(recordType)'"
    case .name: "the index of names in '\(recordType)'"
    }
  }
}

/// An index that the container file has.
struct StoredIndex {
  /// The row in the table `recordIndex`.
  let id: Int64
  /// The row of the record type; 0 for an index of all types.
  let type: Int64
  let index: RecordIndex

  /// Whether the index has records of a type.
  func covers(_ type: Int64) -> Bool { self.type == 0 || self.type == type }

  /// Reads the indexes of a container.
  ///
  /// - Throws: ``ContainerStoreError/Code/damaged`` for an index that cannot be read.
  static func all(in db: SQLiteConnection) throws -> [StoredIndex] {
    try rows(in: db).map { try $0.get() }
  }

  /// Reads the indexes of a container that can be read.
  static func intact(in db: SQLiteConnection) throws -> [StoredIndex] {
    try rows(in: db).compactMap { try? $0.get() }
  }

  private static func rows(
    in db: SQLiteConnection
  ) throws -> [Result<StoredIndex, ContainerStoreError>] {
    try db.all(
      """
      SELECT recordIndex.id, recordIndex.kind, recordIndex.type, recordIndex.field,
        recordIndex.hash, recordType.name
      FROM recordIndex LEFT JOIN recordType ON recordType.id = recordIndex.type
      ORDER BY recordIndex.id
      """
    ) { row in
      guard row.isIntact(.recordIndex), let kind = RecordIndex.Kind(rawValue: row.int64(1)),
        kind.isOfAllTypes || !row.isNull(5)
      else {
        return .failure(
          .damaged(detail: "the index number \(row.int64(0)) is not readable; \(Self.remedy)"))
      }
      return .success(
        StoredIndex(
          id: row.int64(0), type: row.int64(2),
          index: RecordIndex(kind, of: row.string(5), field: row.string(3))))
    }
  }

  /// Returns the names of the records of a zone that have a key, sorted by their UTF-8 bytes.
  func names(of key: IndexKey, zone: Int64, in db: SQLiteConnection) throws -> [String] {
    try db.all(
      """
      SELECT name FROM indexEntry WHERE recordIndex = ? AND zone = ? AND key = ? ORDER BY name
      """, [id, zone, key]
    ) { $0.string(0) }
  }

  /// The remedy for a damaged index.
  static let remedy =
    "delete all indexes with 'DELETE FROM recordIndex; DELETE FROM indexEntry', and they are made "
    + "again when they are needed"
}

extension IndexKey: ColumnValue {
  package func bind(to statement: SQLiteStatement, at index: Int32) throws {
    try bytes.withUnsafeBytes { try statement.bindBlob(index, $0, isCopied: true) }
  }

  package func add(to hash: inout RowChecksum) { bytes.withUnsafeBytes { hash.add($0) } }
}

extension ContainerSnapshot {
  /// Returns the shares of a zone that a user has accepted, and the damaged shares, which the user may
  /// have accepted.
  ///
  /// Without the index of participants, all shares of the zone are read.
  package func shares(
    acceptedBy user: String, in zoneID: ZoneID, of scope: DatabaseScope
  ) throws -> [RecordID] {
    guard let zone = try zoneRow(zoneID, in: scope) else { return [] }
    if let index = try index(.participant) {
      return try [IndexKey(user: user), .unreadable]
        .flatMap { try index.names(of: $0, zone: zone, in: db) }
        .map { RecordID(recordName: $0, zoneID: zoneID) }
    }
    return try recordIDs(ofType: Share.recordType, in: zoneID, of: scope).filter { recordID in
      guard case .success(let share?) = try readableRecord(recordID, in: scope) else { return true }
      return share.record.acceptingUsers.contains { $0.sameScalars(as: user) }
    }
  }

  /// Returns the records that refer to a record of the same zone, by name; none without the index,
  /// which a transaction or ``ContainerStore/makeIndex(_:)`` makes.
  package func records(
    referringTo recordID: RecordID, as kind: RecordIndex.Kind, in scope: DatabaseScope
  ) throws -> [RecordID] {
    guard let zone = try zoneRow(recordID.zoneID, in: scope),
      let index = try index(kind)
    else { return [] }
    let key = IndexKey(referenceTo: recordID, in: recordID.zoneID)
    return try index.names(of: key, zone: zone, in: db)
      .map { RecordID(recordName: $0, zoneID: recordID.zoneID) }
  }
}
