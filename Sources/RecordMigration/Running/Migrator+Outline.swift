import RecordModel

extension Migrator {
  /// The possible destinations of the records of one type and zone, known before any record is
  /// read.
  package struct Outline: Sendable {
    /// A possible destination of a record.
    package struct Place: Sendable, Hashable {
      package var zoneID: ZoneID
      package var recordType: String
      /// Whether the record keeps its name.
      package var keepsName: Bool

      package static func == (lhs: Place, rhs: Place) -> Bool {
        lhs.zoneID == rhs.zoneID && lhs.recordType.sameScalars(as: rhs.recordType)
          && lhs.keepsName == rhs.keepsName
      }
    }

    /// The destinations. Empty if all records are left behind.
    package var places: Set<Place>
    /// Whether a step in Swift makes the destinations unknown.
    package var isUnknown: Bool
    /// The indices of the migrations that may change a record's name or zone.
    package var identityStages: Set<Int>

    /// The only destination of all records, which then keep their order. `nil` if there are
    /// several.
    package var onlyPlace: Place? {
      guard !isUnknown, places.count == 1, let place = places.first, place.keepsName else {
        return nil
      }
      return place
    }
  }

  /// Returns the possible destinations of the records of a type in a zone.
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

  /// Whether results may contain assets with new bytes.
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

  /// Whether assets may lose their last reference from a record.
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
      // A condition may apply to some records only, and values that do not fit may stay unchanged.
      if step.condition == nil { places.remove(place) }
      for end in ends { places.insert(end) }
    }
  }
}
