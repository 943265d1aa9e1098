/// A limit that a save violates: the details of a ``CloudError`` that ``RecordLimits`` throws.
public struct LimitViolation: Sendable, Hashable {
  /// A limit on records and names.
  public enum Limit: String, Sendable, Hashable, CaseIterable {
    case recordNameLength, recordNameCharacters
    case zoneNameLength, zoneNameCharacters, zoneOwnerLength, zoneOwnerCharacters
    case recordTypeLength, recordTypeCharacters, keyLength, keyCharacters
    case subscriptionIDLength, subscriptionIDCharacters
    case recordSize, assetSize, assetContent, referenceCount
    case finiteNumber, encryptableType, knownType, locationRange

    /// The error code CloudKit reports: `limitExceeded` for a request that is too large,
    /// `invalidArguments` for one that can never succeed.
    public var code: CloudError.Code {
      switch self {
      case .recordSize, .assetSize, .referenceCount: .limitExceeded
      default: .invalidArguments
      }
    }
  }

  /// The item that violates a limit.
  public enum Subject: Sendable, Hashable {
    /// A record, or one of its fields.
    case record(RecordID, key: String? = nil)
    /// A zone.
    case zone(ZoneID)
    /// A record type.
    case recordType(String)
    /// A subscription.
    case subscription(String)
  }

  /// The limit.
  public var limit: Limit
  /// The item that violates the limit.
  public var subject: Subject
  /// The value that was found; never the value of an encrypted field.
  @ExactText public var found: String
  /// The values that are allowed.
  @ExactText public var allowed: String

  package init(_ limit: Limit, _ subject: Subject, found: String, allowed: String) {
    self.limit = limit
    self.subject = subject
    self.found = found
    self.allowed = allowed
  }
}

extension LimitViolation: CustomStringConvertible {
  /// The item, the value that was found, and the allowed values, in one sentence.
  public var description: String {
    let place =
      switch subject {
      case .record(let id, nil): "record '\(id.description.shownName)'"
      case .record(let id, let key?):
        "field '\(key.shownName)' of record '\(id.description.shownName)'"
      case .zone(let id): "zone '\(id.description.shownName)'"
      case .recordType(let name): "record type '\(name.shownName)'"
      case .subscription(let name): "subscription '\(name.shownName)'"
      }
    return "\(place): found \(found), allowed \(allowed) (\(limit.rawValue))"
  }
}

extension CloudError {
  /// Creates the error for a violation of a limit.
  package init(_ violation: LimitViolation) {
    self.init(violation.limit.code, violation.description)
    self.violation = violation
  }
}

extension String {
  /// The name for an error message: control characters escaped, cut after 300 Unicode scalars.
  fileprivate var shownName: String {
    let maxCount = 300
    let shown = unicodeScalars.prefix(maxCount).reduce(into: "") { text, scalar in
      text +=
        scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : "\(scalar)"
    }
    return unicodeScalars.count > maxCount ? shown + "…" : shown
  }
}
