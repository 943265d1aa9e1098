import RecordModel

extension ContainerSnapshot {
  /// Returns the history of the container; nil if it was not changed since it was filled.
  public func history() throws -> ContainerHistory? {
    let databases = try DatabaseScope.allCases.compactMap { scope in
      let changes = try DatabaseRow.read(scope, from: db).changes
      return changes.isHistory ? try history(of: scope, changes) : nil
    }
    return databases.isEmpty ? nil : ContainerHistory(databases: databases)
  }

  private func history(
    of scope: DatabaseScope, _ changes: DatabaseChanges
  ) throws -> ContainerHistory.Database {
    var database = ContainerHistory.Database(
      scope: scope, lastChange: changes.last, lineage: UInt64(bitPattern: changes.lineage))
    database.loadedChange = changes.loaded
    database.mergedChange = changes.merged
    database.zones = try histories(in: scope, after: changes.loaded).map {
      ContainerHistory.Zone(
        zoneID: $0.zoneID, lastChange: $0.lastChange, firstChange: $0.firstChange)
    }
    database.zones += try deletedZones(in: scope, after: changes.loaded).map {
      ContainerHistory.Zone(zoneID: $0.tombstone.zoneID, lastChange: $0.change)
    }
    database.zones.sort { $0.zoneID < $1.zoneID }
    return database
  }

  /// Returns the numbers of a database's changes. What lies in the shared databases of accounts is
  /// in the private database.
  package func changes(of scope: DatabaseScope) throws -> DatabaseChanges {
    var changes = try DatabaseRow.read(scope, from: db).changes
    if scope == .shared {
      let own = try DatabaseRow.read(.private, from: db).changes
      changes.lineage = changes.lineage &* 31 &+ own.lineage
      changes.firstShared = max(changes.firstShared, own.firstShared)
    }
    return changes
  }
}
