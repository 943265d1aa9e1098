/// The counts of a store that was filled.
public struct FilledStore: Sendable, Hashable {
  /// The number of objects of each entity.
  public internal(set) var objects: [String: Int] = [:]
  /// The number of pairs of many-to-many relationships.
  public internal(set) var links = 0

  /// Creates counts of zero.
  public init() {}
}
