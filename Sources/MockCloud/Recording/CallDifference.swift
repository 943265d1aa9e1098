import RecordCoding
import RecordSchema

/// A difference between the arguments of two calls.
public struct CallDifference: Sendable, Hashable {
  /// The argument and the place in it, such as `saving[0].fields.text.value`.
  public let path: String
  /// The app's value; never an encrypted value, the identity of a user, or a link.
  public let found: String
  /// The expected value; never an encrypted value, the identity of a user, or a link.
  public let expected: String
}

extension CallDifference: CustomStringConvertible {
  /// The difference in one line.
  public var description: String { "\(path): found \(found), expected \(expected)" }
}

extension CallDifference {
  /// The most differences that are told of one call.
  static let maxCount = 20

  /// Compares the arguments of two calls.
  ///
  /// - Parameter limit: the number of differences after which it stops.
  static func differences(
    found: JSONValue, expected: JSONValue, limit: Int = maxCount
  ) -> [CallDifference] {
    var differences: [CallDifference] = []
    compare(found, expected, at: "", .all, &differences, limit)
    return differences
  }

  private static func compare(
    _ found: JSONValue?, _ expected: JSONValue?, at path: String, _ visibility: Visibility,
    _ differences: inout [CallDifference], _ limit: Int
  ) {
    guard differences.count < limit, found != expected else { return }
    let isEncrypted = found?.isEncryptedField == true || expected?.isEncryptedField == true
    let visibility = isEncrypted ? .none : visibility
    if let found = found?.members, let expected = expected?.members {
      var names = expected.map(\.name)
      for member in found where !names.contains(where: { $0.sameScalars(as: member.name) }) {
        names.append(member.name)
      }
      for name in names {
        let (value, other) = (JSONValue.object(found)[name], JSONValue.object(expected)[name])
        let part = RecordCodingError(found: "", expected: "").inside(member: name).path
        compare(
          value, other, at: path.isEmpty ? part : path + (part.hasPrefix("[") ? "" : ".") + part,
          path.hasSuffix(".fields") ? visibility : visibility.ofMember(name), &differences, limit)
      }
    } else if let found = found?.elements, let expected = expected?.elements,
      found.count == expected.count
    {
      for index in found.indices {
        compare(
          found[index], expected[index], at: "\(path)[\(index)]", visibility, &differences, limit)
      }
    } else {
      differences.append(
        CallDifference(
          path: path, found: shown(found, visibility), expected: shown(expected, visibility)))
    }
  }

  private static func shown(_ json: JSONValue?, _ visibility: Visibility) -> String {
    guard let json else { return "nothing" }
    if visibility != .none, let elements = json.elements {
      let count = Phrase.count(elements.count, "item")
      guard visibility == .all else { return count }
      let names = elements.compactMap { $0["recordName"]?.string ?? $0.string }
      let isNamed = names.count == elements.count && !names.isEmpty && names.count <= 5
      return isNamed ? "\(count) (\(names.joined(separator: ", ")))" : count
    }
    guard visibility == .all else { return "a hidden value" }
    return json.members == nil ? cut(json.compactText) : "an object"
  }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count > 80
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(80))) + "…" : text
  }
}

/// The parts of a value that messages show.
private enum Visibility {
  /// The value.
  case all
  /// The number of items of a list, and what identifies a share and says what users may do.
  case counts
  /// Nothing.
  case none

  /// Encrypted values and the keys and addresses of assets are no part of messages.
  private static let secretNames: Set = ["wrappingKey", "receipt", "downloadURL"]
  /// The members with personal data and links to shares, in the arguments of calls and in shares.
  private static let personalNames: Set = [
    "lookupInfos", "urls", "metadatas", "participants", "owner", "currentUserParticipant", "url",
    "shortGUID",
  ]
  private static let publicNames: Set = [
    "recordName", "zoneID", "hierarchicalRootRecordID", "type", "permission", "acceptanceStatus",
    "participantRole", "participantStatus", "participantPermission",
  ]

  /// Returns what is shown of a member of a value; not of a field, whose name is the app's.
  func ofMember(_ name: String) -> Visibility {
    switch self {
    case .all:
      if Self.secretNames.contains(name) { return .none }
      return Self.personalNames.contains(name) ? .counts : .all
    case .counts:
      if name == "fields" { return .none }
      return Self.publicNames.contains(name) ? .all : .counts
    case .none: return ["isEncrypted", "type"].contains(name) ? .all : .none
    }
  }
}

extension JSONValue {
  /// Whether this is a field of a record with an encrypted value.
  fileprivate var isEncryptedField: Bool {
    self["isEncrypted"]?.bool == true || self["type"]?.string?.hasPrefix("ENCRYPTED_") == true
  }
}
