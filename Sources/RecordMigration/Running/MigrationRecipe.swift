import RecordCoding
import RecordModel

/// The result of migrating a record without reading its values, which is the same for all records
/// with the same outline to which the edits apply.
struct MigrationRecipe {
  enum Result {
    case edits(LearntEdits)
    /// After these edits, the record was left behind by a stage, at whose start it was in a zone.
    case leftBehind(LearntEdits, from: ZoneID, stage: Int)
    /// The result depends on values.
    case none
  }

  let outline: EditableRecord.EditKey
  /// Retained, so that no other objects can get the same identity.
  private let objects: [AnyObject]
  let result: Result
  /// The counts for one record.
  private let counts: MigrationReport
  /// The number of uses that are not yet in a report.
  var uses = 0

  init(
    _ outline: EditableRecord.EditKey, _ objects: [AnyObject], _ result: Result,
    counts: MigrationReport
  ) {
    self.outline = outline
    self.objects = objects
    self.result = result
    self.counts = counts
  }

  /// Adds the uses since the last call to a report.
  mutating func count(in report: inout MigrationReport) {
    if uses > 0 { report.add(counts, times: uses) }
    uses = 0
  }
}

/// The recipes of one runner, with recently used ones first.
struct MigrationRecipes {
  private var recipes: [MigrationRecipe] = []
  private static let most = 32

  /// Returns the index of the recipe for an outline.
  mutating func place(of outline: EditableRecord.EditKey) -> Int? {
    for index in recipes.indices where recipes[index].outline == outline {
      guard index > 0 else { return 0 }
      recipes.swapAt(index, index - 1)
      return index - 1
    }
    return nil
  }

  subscript(index: Int) -> MigrationRecipe {
    @inline(__always) _read { yield recipes[index] }
    @inline(__always) _modify { yield &recipes[index] }
  }

  /// Adds a recipe, in place of the one that was not used for longest if there are too many.
  ///
  /// - Parameter report: Receives the uses of the recipe that is removed.
  mutating func add(_ recipe: MigrationRecipe, _ report: inout MigrationReport) {
    if recipes.count == Self.most {
      recipes[Self.most - 1].count(in: &report)
      recipes.removeLast()
    }
    recipes.append(recipe)
  }

  /// Adds the uses of all recipes to a report.
  mutating func count(in report: inout MigrationReport) {
    for index in recipes.indices { recipes[index].count(in: &report) }
  }
}
