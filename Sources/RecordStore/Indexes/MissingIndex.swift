/// The indexes that a read needs and the container does not have.
package enum MissingIndex: Error {
  /// Indexes of records, with the rows of their types.
  case records([(index: RecordIndex, type: Int64)])
  /// The indexes by which changes are found.
  case changes

  /// Whether the container has the indexes now.
  fileprivate func isMade(in snapshot: ContainerSnapshot) throws -> Bool {
    switch self {
    case .changes: return try snapshot.hasIndex("recordChange")
    case .records(let needed):
      let known = Set(try StoredIndex.intact(in: snapshot.db).map(\.index))
      return needed.allSatisfy { known.contains($0.index) }
    }
  }
}

extension MissingIndex: CustomStringConvertible {
  package var description: String {
    switch self {
    case .changes: "the index of changes"
    case .records(let needed):
      needed.count == 1 ? needed[0].index.description : "\(needed.count) indexes"
    }
  }
}

extension ContainerStore {
  /// Returns the indexes of records of all types that the container does not have and can get; nil for
  /// none.
  package func missing(_ kinds: [RecordIndex.Kind]) throws -> MissingIndex? {
    guard !isReadOnly else { return nil }
    let missing = try snapshot { snapshot in try kinds.filter { try snapshot.index($0) == nil } }
    return missing.isEmpty ? nil : .records(missing.map { (RecordIndex($0), 0) })
  }

  /// Whether the container has indexes that a read did not find.
  package func has(_ missing: MissingIndex) throws -> Bool {
    try snapshot(missing.isMade)
  }

  /// Makes indexes. Other threads write meanwhile, and read a container in memory.
  package func make(_ missing: MissingIndex) throws {
    switch missing {
    case .changes:
      try writing { db in try db.stoppable { try db.execute(StoreSchema.changeIndexes) } }
    case .records(let needed):
      for (index, type) in needed { try make(index, type: type) }
    }
  }

  private func make(_ index: RecordIndex, type: Int64) throws {
    guard !isReadOnly else { throw ContainerStoreError.readOnly }
    let (hasBegun, _) = isDrafting.compareExchange(
      expected: false, desired: true, ordering: .acquiringAndReleasing)
    defer { if hasBegun { isDrafting.store(false, ordering: .releasing) } }
    try using {
      try readers.with { reader in
        func draft(_ db: SQLiteConnection, _ index: StoredIndex) -> IndexDraft {
          IndexDraft(index, db, by: reader, hasSteps: true)
        }
        let new = StoredIndex(id: 0, type: type, index: index)
        // Within a transaction, or beside another draft, there is one step.
        let hasSteps = try connections.write { db in
          guard hasBegun, !db.isInsideTransaction, index.kind != .name else { return false }
          try draft(db, new).create()
          return true
        }
        defer { if hasSteps { try? connections.write { try draft($0, new).remove() } } }
        var last: Int64? = hasSteps ? .min : nil
        while let id = last {
          last = try connections.write { db in
            try db.stoppable { try db.reading { try draft(db, new).read(after: id) } }
          }
        }
        try transaction { transaction in
          let db = try transaction.db
          _ = try transaction.indexes.index(index, type: type) {
            hasSteps ? draft(db, $0) : nil
          }
        }
      }
    }
  }

  /// Makes indexes if that takes only a moment: the container has few records, and no other thread writes.
  ///
  /// - Returns: whether they are made.
  package func makeAtOnce(_ missing: MissingIndex, maxRecords: Int64) throws -> Bool {
    guard try !hasRecords(moreThan: maxRecords) else { return false }
    return try using {
      try connections.write(waiting: false) { _ in try make(missing) } != nil
    }
  }

  /// Whether the container has more than so many records.
  package func hasRecords(moreThan count: Int64) throws -> Bool {
    try snapshot { try $0.db.integer("SELECT 1 FROM record LIMIT 1 OFFSET ?", [count]) } != nil
  }

  /// Makes an index of records of all types, if the container does not have it and can be changed.
  package func makeIndex(_ kind: RecordIndex.Kind) throws {
    if let missing = try missing([kind]) { try make(missing) }
  }

  /// Returns the index by which the shares of a user are found, if the container has several users and
  /// can get it; nil for none.
  package func missingParticipants() throws -> MissingIndex? {
    try info().accounts.isEmpty ? nil : missing([.participant])
  }

  /// Ends the making of indexes on all threads with an error, now and later: they are made again when
  /// the container is opened the next time and needs them.
  package func stopMakingIndexes() { connections.stop() }
}
