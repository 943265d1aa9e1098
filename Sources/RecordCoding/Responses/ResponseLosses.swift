/// The parts of written records that a dialect cannot represent, counted by kind.
public struct ResponseLosses: Sendable, Hashable {
  /// A kind of loss.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A deleted record, which the dialect cannot represent.
    case deletions
    /// A share that was written without its participants and permissions.
    case shares
    /// A field value that the dialect has no form for; its field was left out.
    case values
    /// An encrypted field that was written like a plain one.
    case encryption
    /// An asset that was written without its bytes, or without what describes them.
    case assets
    /// A date that was rounded to milliseconds.
    case dates
    /// Another part of a record: a device, an action of a reference, a member that the model does
    /// not know.
    case details

    /// The loss of so many, as a clause: `2 encrypted fields are written like plain ones`.
    fileprivate func clause(_ count: Int) -> String {
      let (one, many) =
        switch self {
        case .deletions: ("deleted record is left out", "deleted records are left out")
        case .shares:
          (
            "share is written without its participants",
            "shares are written without their participants"
          )
        case .values: ("field value is left out", "field values are left out")
        case .encryption:
          (
            "encrypted field is written like a plain one",
            "encrypted fields are written like plain ones"
          )
        case .assets:
          ("asset is written without its contents", "assets are written without their contents")
        case .dates: ("date is rounded to milliseconds", "dates are rounded to milliseconds")
        case .details:
          ("other detail of records is left out", "other details of records are left out")
        }
      return "\(count) \(count == 1 ? one : many)"
    }
  }

  private var counts: [Kind: Int] = [:]

  /// Nothing is lost.
  public init() {}

  /// How often something of this kind was lost.
  public subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

  /// Whether nothing was lost.
  public var isEmpty: Bool { counts.isEmpty }

  /// A clause for each kind of loss, such as `1 deleted record is left out`.
  public var clauses: [String] {
    Kind.allCases.compactMap { kind in counts[kind].map(kind.clause) }
  }

  mutating func add(_ kind: Kind, _ count: Int = 1) {
    if count > 0 { counts[kind, default: 0] += count }
  }
}
