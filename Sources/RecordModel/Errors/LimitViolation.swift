/// A limit that a save does not keep to: the details of a ``CloudError`` that ``RecordLimits``
/// throws.
public struct LimitViolation: Sendable, Hashable {
  /// What is limited.
  public enum Limit: String, Sendable, Hashable, CaseIterable {
    case recordNameLength, recordNameCharacters
    case zoneNameLength, zoneNameCharacters, zoneOwnerLength, zoneOwnerCharacters
    case recordTypeLength, recordTypeCharacters, keyLength, keyCharacters
    case subscriptionIDLength, subscriptionIDCharacters
    case recordSize, assetSize, assetContent, referenceCount
    case finiteNumber, encryptableType, knownType, locationRange

    /// The error CloudKit has for it: `limitExceeded` where a request is too large,
    /// `invalidArguments` where it can never be right.
    public var code: CloudError.Code {
      switch self {
      case .recordSize, .assetSize, .referenceCount: .limitExceeded
      default: .invalidArguments
      }
    }
  }

  /// What does not keep to the limit.
  public enum Subject: Sendable, Hashable {
    /// A record, or the field of that name in it.
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
  /// What does not keep to it.
  public var subject: Subject
  /// What was found; never the value of an encrypted field.
  @ExactText public var found: String
  /// What is allowed.
  @ExactText public var allowed: String

  package init(_ limit: Limit, _ subject: Subject, found: String, allowed: String) {
    self.limit = limit
    self.subject = subject
    self.found = found
    self.allowed = allowed
  }
}

extension LimitViolation: CustomStringConvertible {
  /// What it is about, what was found and what is allowed, in one sentence.
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
    return "\(place): \(found); allowed: \(allowed) (\(limit.rawValue))"
  }
}

extension CloudError {
  /// The error of a save that does not keep to a limit.
  package init(_ violation: LimitViolation) {
    self.init(violation.limit.code, violation.description)
    self.violation = violation
  }
}

extension String {
  /// The name as an error shows it: control characters escaped, a very long name cut.
  fileprivate var shownName: String {
    let longest = 300
    let shown = unicodeScalars.prefix(longest).reduce(into: "") { text, scalar in
      text +=
        scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : "\(scalar)"
    }
    return unicodeScalars.count > longest ? shown + "…" : shown
  }
}
