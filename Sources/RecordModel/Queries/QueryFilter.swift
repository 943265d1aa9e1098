/// A comparison in a query, as Web Services spell it: CloudKit's predicates are nothing more than
/// lists of these, joined by "and".
public struct QueryFilter: Sendable, Hashable {
  /// How a field is compared.
  public enum Comparator: String, Sendable, Hashable, CaseIterable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    case near = "NEAR"
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    case `in` = "IN"
    case notIn = "NOT_IN"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listContainsAny = "LIST_CONTAINS_ANY"
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    case listContainsAll = "LIST_CONTAINS_ALL"
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
  }

  /// How the field is compared.
  public var comparator: Comparator
  /// The field that is compared, with the value it is compared with; a server may have sent more of
  /// it than the two.
  package var field: Field
  /// For ``Comparator/near``: the radius in metres.
  public var distance: Double?
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a comparison.
  public init(
    _ fieldName: String, _ comparator: Comparator, _ fieldValue: RecordValue,
    distance: Double? = nil, otherMembers: OtherMembers = []
  ) {
    self.init(
      comparator, Field(name: fieldName, value: fieldValue), distance: distance,
      otherMembers: otherMembers)
  }

  package init(
    _ comparator: Comparator, _ field: Field, distance: Double?, otherMembers: OtherMembers
  ) {
    self.comparator = comparator
    self.field = field
    self.distance = distance
    self.otherMembers = otherMembers
  }

  /// The name of the field that is compared; `___recordID` and the like for system fields.
  public var fieldName: String {
    get { field.name }
    set { replaceField(name: newValue, value: field.value) }
  }

  /// The value that the field is compared with.
  public var fieldValue: RecordValue {
    get { field.value }
    set { replaceField(name: field.name, value: newValue) }
  }

  private mutating func replaceField(name: String, value: RecordValue) {
    field = Field(
      name: name, value: value, isEncrypted: field.isEncrypted, otherMembers: field.otherMembers)
  }
}
