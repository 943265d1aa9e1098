import RecordModel

extension Migrator {
  /// The possible destinations of the records of one type and zone, known before any record is
  /// read.
  package struct Outline: Sendable {
    /// A possible destination of a record.
    package struct Place: Sendable, Hashable {
      package var zoneID: ZoneID
      @ExactText package var recordType: String
      /// Whether the record keeps its name.
      package var keepsName: Bool
    }

    /// The destinations. Empty if all records are left behind.
    package var places: Set<Place>
    /// Whether a step in Swift makes the destinations unknown.
    package var isUnknown: Bool
    /// Whether some records may be left behind, others not.
    package var mayLeaveBehind = false
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
  package var makesAssets: Bool { usesAssets(.makes) }

  /// Whether the bytes of assets are read.
  package var readsAssets: Bool { usesAssets(.reads) }

  /// Whether assets may lose their last reference from a record.
  package var mayLoseAssets: Bool {
    usesAssets(.loses) || steps.contains { $0.misfit == .null || $0.misfit == .skip }
  }

  private func usesAssets(_ use: StepEffects.AssetUse) -> Bool {
    steps.contains { $0.action.effects.assets.contains(use) }
  }

  package var steps: [MigrationStep] { migrations.flatMap(\.steps) }
}

extension Migrator.Outline {
  fileprivate mutating func take(_ step: MigrationStep, in stage: Int, _ database: DatabaseScope) {
    for place in places {
      guard step.selection.contains(recordType: place.recordType),
        step.selection.contains(database: database, zoneID: place.zoneID)
      else { continue }
      let effects = step.action.effects
      if step.misfit == .skip { mayLeaveBehind = true }
      if effects.isOpaque, effects.changesIdentity {
        isUnknown = true
        identityStages.insert(stage)
      }
      guard !effects.isOpaque, let ends = step.action.kind.destinations(of: place) else { continue }
      if effects.changesIdentity { identityStages.insert(stage) }
      // A condition may apply to some records only, and values that do not fit may stay unchanged.
      if step.condition == nil { places.remove(place) }
      if ends.isEmpty { mayLeaveBehind = true }
      for end in ends { places.insert(end) }
    }
  }
}
