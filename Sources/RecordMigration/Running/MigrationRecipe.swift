import RecordCoding
import RecordModel

/// What has become of a record whose values nobody looked at: the same becomes of every other
/// record with the same outline.
struct MigrationRecipe {
  enum Result {
    case edits(RecordEdits)
    /// It is left behind, out of that zone.
    case leftBehind(ZoneID)
    /// The values played a part in it.
    case none
  }

  let outline: EditableRecord.Outline
  /// Kept, so that no other objects can take their place.
  private let objects: [AnyObject]
  let result: Result
  /// What was counted.
  private let counts: MigrationReport
  /// How often it was used and not counted yet.
  var uses = 0

  init(
    _ outline: EditableRecord.Outline, _ objects: [AnyObject], _ result: Result,
    counts: MigrationReport
  ) {
    self.outline = outline
    self.objects = objects
    self.result = result
    self.counts = counts
  }

  /// Adds to a report what was done since this was called last.
  mutating func count(in report: inout MigrationReport) {
    if uses > 0 { report.add(counts, times: uses) }
    uses = 0
  }
}

/// The recipes of one runner; the one that was used last is found first.
struct MigrationRecipes {
  private var recipes: [MigrationRecipe] = []
  private static let most = 32

  /// The place of the recipe for an outline.
  mutating func place(of outline: EditableRecord.Outline) -> Int? {
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

  mutating func add(_ recipe: MigrationRecipe) {
    if recipes.count < Self.most { recipes.append(recipe) }
  }

  /// Adds to a report what was done by recipes.
  mutating func count(in report: inout MigrationReport) {
    for index in recipes.indices { recipes[index].count(in: &report) }
  }
}
