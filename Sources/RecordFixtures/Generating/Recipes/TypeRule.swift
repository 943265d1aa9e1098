import RecordMigration

/// How the records of a type are made.
struct TypeRule: Sendable {
  /// Where records are that have no parent.
  enum Home: Sendable, Hashable {
    /// In a zone of private databases.
    case zone(String)
    /// In the public database.
    case publicDatabase
    /// In the zone of a record of another type, its parent.
    case parent(String)
  }

  var name: String
  var home: Home
  /// The number of records in a zone, or of a parent.
  var count: CountRule
  var names = NameForm.sequence
  /// Whether the records have a parent in the sharing hierarchy, where the zone allows it.
  var isHierarchy = true
  /// The part of the records that are shared, from 0 to 1.
  var sharedRate = 0.0
  /// The time between the creation of a parent and that of its children; for others the time after
  /// the reference date. In milliseconds.
  var creation: ClosedRange<Int>
  /// The part of the records that were changed after they were created, from 0 to 1.
  var modifiedRate = 0.25
  var fields: [String: FieldRule] = [:]
  var location: PlanLocation?
  var locations: [String: PlanLocation] = [:]

  var parent: String? {
    if case .parent(let name) = home { return name }
    return nil
  }

  /// How the records are named.
  enum NameForm: String, Sendable, Hashable, CaseIterable {
    /// `message-0001`
    case sequence
    /// UUIDs, as CloudKit makes them.
    case uuid
  }
}

/// The zones of a name in private databases.
struct RecipeZone: Sendable {
  var name: String
  /// The number of users who have the zone, the signed-in user first.
  var owners = 1
  /// Whether the zone is shared as a whole with the other users.
  var isShared = false
  var location: PlanLocation?
  var locations: [String: PlanLocation] = [:]
}
