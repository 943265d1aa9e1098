import RecordCoding
import RecordModel

/// Runs a chain of migrations on single records.
///
/// ```swift
/// let plans = try MigrationDirectory(path: "Migrations")
/// let migrator = try Migrator(plans.chain(from: "v1", to: plans.newestVersion()))
/// for record in try migrator.migrate(old) { print(record.recordType, record.allKeys()) }
/// ```
///
/// `Archiver` migrates whole bundles and containers with it.
///
/// The result for a record depends only on the record, the migrations and the environment, so
/// records can be migrated in any order and on any thread. If names or zones change, the
/// environment must contain the new IDs, so that references can be updated.
public final class Migrator: Sendable {
  /// The migrations, in order.
  public let migrations: [Migration]
  package let stages: [Stage]
  /// The schemas that records must have before and after the migrations.
  let source: SchemaCheck?
  let target: SchemaCheck?

  /// A prepared migration.
  package final class Stage: Sendable {
    /// The index of the first step among all steps.
    let firstStep: Int
    let steps: [MigrationStep]
    /// The steps that apply to records of a type.
    private let byType: [(recordType: String, steps: [Int])]
    /// The steps that apply to records of all other types.
    private let others: [Int]
    package let changesIdentity: Bool
    /// Whether steps make records, whose names contain a dot.
    package let makesRecords: Bool
    /// The fields of other records that the steps copy.
    package let lookUps: Set<LookUpSource>

    init(_ migration: Migration, firstStep: Int) {
      self.firstStep = firstStep
      let steps = migration.steps
      self.steps = steps
      changesIdentity = steps.contains { $0.action.effects.changesIdentity }
      makesRecords = steps.contains { $0.action.effects.makes != nil }
      lookUps = Set(steps.compactMap(\.action.effects.lookUp))
      let names = Set(steps.flatMap { $0.selection.recordTypes ?? [] }.map { ExactString($0) })
      byType = names.map(\.string).map { name in
        (name, steps.indices.filter { steps[$0].selection.contains(recordType: name) })
      }
      others = steps.indices.filter { steps[$0].selection.recordTypes == nil }
    }

    func steps(for type: String) -> [Int] {
      byType.first { $0.recordType.sameScalars(as: type) }?.steps ?? others
    }

    /// Returns the steps that change records of other types to this type, or make records of it.
    func arrivals(at type: String) -> [Int] {
      steps.indices.filter { index in
        let effects = steps[index].action.effects
        return (effects.newType ?? effects.makes?.type)?.name.sameScalars(as: type) == true
          && !steps[index].selection.contains(recordType: type)
      }
    }
  }

  /// Creates a migrator, and checks the steps against the known schemas.
  ///
  /// - Throws: ``MigrationError`` with the code `invalid`: if a migration does not start from the
  ///   version that the previous one leads to, or if a step contradicts itself or a schema.
  public convenience init(_ migrations: [Migration]) throws {
    for (former, next) in zip(migrations, migrations.dropFirst()) where former.to != next.from {
      throw MigrationError(
        .invalid,
        "a migration to version '\(former.to)' cannot be followed by one from version "
          + "'\(next.from)'")
    }
    self.init(checked: try migrations.map { try $0.checked() })
  }

  /// Creates a migrator for migrations that were already checked.
  init(checked migrations: [Migration]) {
    self.migrations = migrations
    var stages: [Stage] = []
    var count = 0
    for migration in migrations {
      stages.append(Stage(migration, firstStep: count))
      count += migration.steps.count
    }
    self.stages = stages
    source = migrations.first?.fromSchema.map(SchemaCheck.init)
    target = migrations.last?.toSchema.map(SchemaCheck.init)
  }

  /// Returns a report with all counts at zero.
  package func emptyReport() -> MigrationReport {
    MigrationReport(steps: migrations.flatMap { $0.steps.map(MigrationReport.Step.init) })
  }

  /// Returns the results of migrating a record: usually one record, none if it is left behind, or
  /// several if a step in Swift creates them.
  ///
  /// - Throws: ``MigrationError`` if the record does not match the source schema, or a result does
  ///   not match the target schema; if a value does not fit and the policy is to fail.
  public func migrate(
    _ record: ResultRecord, in database: DatabaseScope = .private,
    environment: MigrationEnvironment = MigrationEnvironment()
  ) throws -> [ResultRecord] {
    try MigrationRunner(self, environment: environment).run(record, in: database)
  }

  /// Returns whether a step changes records of other types to this type.
  func isJoined(_ recordType: String) -> Bool {
    stages.contains { !$0.arrivals(at: recordType).isEmpty }
  }

  /// Returns whether no step applies to records of a type.
  func isUntouched(_ recordType: String, _ environment: MigrationEnvironment) -> Bool {
    environment.identities.isEmpty && stages.allSatisfy { $0.steps(for: recordType).isEmpty }
  }

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

    fileprivate mutating func take(_ step: MigrationStep, in stage: Int, _ database: DatabaseScope)
    {
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
        guard !effects.isOpaque, let ends = step.action.kind.destinations(of: place) else {
          continue
        }
        if effects.changesIdentity { identityStages.insert(stage) }
        // A condition may apply to some records only, and values that do not fit may stay unchanged.
        if step.condition == nil { places.remove(place) }
        if ends.isEmpty { mayLeaveBehind = true }
        for end in ends { places.insert(end) }
      }
    }
  }

  /// Returns the possible destinations of the records of a type in a zone.
  ///
  /// - Parameter end: The number of migrations to run. `nil` for all.
  package func outline(
    _ recordType: String, in zoneID: ZoneID, of database: DatabaseScope, after end: Int? = nil
  ) -> Outline {
    var outline = Outline(
      places: [Outline.Place(zoneID: zoneID, recordType: recordType, keepsName: true)],
      isUnknown: false, identityStages: [])
    for (number, stage) in stages.enumerated().prefix(end ?? stages.count) {
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

  /// The number of unanswered questions in the plans.
  package var openQuestions: Int { migrations.reduce(0) { $0 + $1.openQuestions } }

  /// Returns a subscription with the new names of record types and fields. Ignores steps with a
  /// condition, because they only change some records.
  package func migrate(_ subscription: CloudSubscription) -> CloudSubscription {
    var subscription = subscription
    for step in steps where step.condition == nil {
      guard step.selection.databases == nil, step.selection.zoneNames == nil else { continue }
      switch subscription.kind {
      case .query(var query, let zoneID, let firesOn, let firesOnce):
        guard step.selection.contains(recordType: query.recordType) else { continue }
        query.take(step.action.effects)
        subscription.kind = .query(query, zoneID: zoneID, firesOn: firesOn, firesOnce: firesOnce)
        if let (name, newName) = step.action.effects.renames {
          subscription.notificationInfo?.rename(name, newName)
        }
      case .zone(let zoneID, let type?):
        guard let name = step.newType(of: type) else { continue }
        subscription.kind = .zone(zoneID, recordType: name)
      case .database(let type?):
        guard let name = step.newType(of: type) else { continue }
        subscription.kind = .database(recordType: name)
      case .zone, .database: continue
      }
    }
    return subscription
  }

  /// Returns the tombstone of a deleted record with the new name of its type.
  package func migrate(_ tombstone: DeletedRecord, in database: DatabaseScope) -> DeletedRecord {
    var tombstone = tombstone
    for step in steps where step.condition == nil {
      guard let type = tombstone.recordType,
        step.selection.contains(database: database, zoneID: tombstone.recordID.zoneID),
        let name = step.newType(of: type)
      else { continue }
      tombstone.recordType = name
    }
    return tombstone
  }
}

extension MigrationStep {
  fileprivate func newType(of type: String) -> String? {
    guard selection.recordTypes?.containsName(type) == true else { return nil }
    return action.effects.newType?.name
  }
}

extension RecordQuery {
  fileprivate mutating func take(_ effects: StepEffects) {
    if let type = effects.newType { recordType = type.name }
    guard let (name, newName) = effects.renames else { return }
    for index in filters.indices where filters[index].fieldName.sameScalars(as: name) {
      filters[index].fieldName = newName
    }
    for index in sort.indices where sort[index].fieldName.sameScalars(as: name) {
      sort[index].fieldName = newName
    }
  }
}

extension NotificationInfo {
  fileprivate mutating func rename(_ name: String, _ newName: String) {
    func renamed(_ list: [String]) -> [String] {
      list.map { $0.sameScalars(as: name) ? newName : $0 }
    }
    alertLocalizationArgs = renamed(alertLocalizationArgs)
    titleLocalizationArgs = renamed(titleLocalizationArgs)
    subtitleLocalizationArgs = renamed(subtitleLocalizationArgs)
    desiredKeys = renamed(desiredKeys)
  }
}
