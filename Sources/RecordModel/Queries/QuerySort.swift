/// An order of query results.
public struct QuerySort: Sendable, Hashable {
  /// The field that is sorted by.
  @ExactText public var fieldName: String
  /// Whether small values come first.
  public var ascending: Bool
  /// For a location: results are sorted by their distance from here.
  public var relativeLocation: Location?
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes an order.
  public init(
    _ fieldName: String, ascending: Bool = true, relativeLocation: Location? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.fieldName = fieldName
    self.ascending = ascending
    self.relativeLocation = relativeLocation
    self.otherMembers = otherMembers
  }
}
