/// What comes along with extracted records.
public struct ExtractionClosure: Sendable, Hashable {
  /// Why a record, or the bytes of an asset, belong to another record.
  public enum Relation: String, Sendable, Hashable, CaseIterable {
    /// The record above it in the sharing hierarchy.
    case parents
    /// The records that its fields refer to.
    case references
    /// The share that it is in, and the share of its zone.
    case shares
    /// The bytes of its assets.
    case assets
    /// The records below it in the sharing hierarchy.
    case children
  }

  /// How many steps of each relation are followed from the records that were asked for; a relation
  /// that is not in there is not followed.
  public var depths: [Relation: Int]

  /// No limit.
  public static let unlimited = Int.max

  /// Everything that a record needs: all relations but the children, without limits.
  public static let needed = ExtractionClosure(
    depths: [.parents: unlimited, .references: unlimited, .shares: unlimited, .assets: unlimited])

  /// Nothing comes along.
  public static let nothing = ExtractionClosure(depths: [:])

  /// Creates a closure.
  public init(depths: [Relation: Int]) { self.depths = depths }

  /// Whether the bytes of assets come along.
  var hasAssets: Bool { self[.assets] > 0 }

  subscript(relation: Relation) -> Int {
    get { depths[relation] ?? 0 }
    set { depths[relation] = newValue }
  }

  /// What is left to follow after a step of a relation; nil if it must not be made.
  func after(_ relation: Relation) -> ExtractionClosure? {
    let depth = self[relation]
    guard depth > 0 else { return nil }
    var rest = self
    if depth != Self.unlimited { rest[relation] = depth - 1 }
    return rest
  }

  /// What both closures follow together.
  func merged(with other: ExtractionClosure) -> ExtractionClosure {
    ExtractionClosure(depths: depths.merging(other.depths) { max($0, $1) })
  }
}
