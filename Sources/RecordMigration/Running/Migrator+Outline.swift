import RecordModel

extension Migrator {
  /// Where the records of one type and zone may come to lie: known before any record is read.
  package struct Outline: Sendable {
    /// Where a record can end.
    package struct Place: Sendable, Hashable {
      package var zoneID: ZoneID
      package var recordType: String
      /// Whether it still has its name.
      package var keepsName: Bool

      package static func == (lhs: Place, rhs: Place) -> Bool {
        lhs.zoneID == rhs.zoneID && lhs.recordType.sameScalars(as: rhs.recordType)
          && lhs.keepsName == rhs.keepsName
      }
    }

    /// The places; empty where all records are left behind.
    package var places: Set<Place>
    /// Whether a step in Swift makes the places unknown.
    package var isUnknown: Bool
    /// The numbers of the migrations in which a record may change name or zone.
    package var identityStages: Set<Int>

    /// The one place all records come to lie in, in the order they had; nil where there are several.
    package var onlyPlace: Place? {
      guard !isUnknown, places.count == 1, let place = places.first, place.keepsName else {
        return nil
      }
      return place
    }
  }

  /// Where the records of a type in a zone may come to lie.
  package func outline(
    _ recordType: String, in zoneID: ZoneID, of database: DatabaseScope
  ) -> Outline {
    var outline = Outline(
      places: [Outline.Place(zoneID: zoneID, recordType: recordType, keepsName: true)],
      isUnknown: false, identityStages: [])
    for (number, stage) in stages.enumerated() {
      for step in stage.steps { outline.take(step, in: number, database) }
    }
    return outline
  }

  /// Whether results may hold assets whose bytes are new.
  package var makesAssets: Bool {
    steps.contains { step in
      switch step.action {
      case .convert(_, let conversion): conversion.type == .asset || conversion.type == .assetList
      case .custom: true
      default: false
      }
    }
  }

  /// Whether the bytes of assets are read.
  package var readsAssets: Bool {
    steps.contains { step in
      guard case .convert(_, let conversion) = step.action,
        conversion.type == .bytes || conversion.type == .bytesList
      else { return false }
      let original = conversion.original?.elementType ?? conversion.original
      return original == nil || original == .asset
    }
  }

  /// Whether assets may lose the last record that refers to them.
  package var mayLoseAssets: Bool {
    readsAssets
      || steps.contains { step in
        if step.misfit == .null || step.misfit == .skip { return true }
        switch step.action {
        case .dropField, .deleteType, .leaveBehind, .custom: return true
        default: return false
        }
      }
  }

  package var steps: [MigrationStep] { migrations.flatMap(\.steps) }
}

extension Migrator.Outline {
  fileprivate mutating func take(
    _ step: MigrationStep, in stage: Int, _ database: DatabaseScope
  ) {
    for place in places {
      guard step.selection.contains(recordType: place.recordType),
        step.selection.contains(database: database, zoneID: place.zoneID)
      else { continue }
      var ends = [place]
      switch step.action {
      case .renameType(let name), .mergeTypes(let name, _): ends[0].recordType = name
      case .move(let zone, let source):
        guard source.map({ $0 == place.zoneID }) ?? true, place.zoneID != zone else { continue }
        ends[0].zoneID = zone
        identityStages.insert(stage)
      case .renameRecords:
        ends[0].keepsName = false
        identityStages.insert(stage)
      case .deleteType: ends = []
      case .custom(let custom) where custom.changesIdentity:
        isUnknown = true
        identityStages.insert(stage)
        continue
      default: continue
      }
      // A condition may hold for some of them only; and what does not fit may stay as it is.
      if step.condition == nil { places.remove(place) }
      for end in ends { places.insert(end) }
    }
  }
}
