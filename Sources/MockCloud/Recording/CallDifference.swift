import RecordCoding
import RecordModel

/// A difference between the arguments of two calls.
public struct CallDifference: Sendable, Hashable {
  /// The argument and the place in it, such as `saving[0].fields.text.value`.
  public let path: String
  /// What the app asked; never an encrypted value.
  public let found: String
  /// What was expected; never an encrypted value.
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
    compare(found, expected, at: "", isSecret: false, &differences, limit)
    return differences
  }

  private static func compare(
    _ found: JSONValue?, _ expected: JSONValue?, at path: String, isSecret: Bool,
    _ differences: inout [CallDifference], _ limit: Int
  ) {
    guard differences.count < limit, found != expected else { return }
    let isSecret = isSecret || found?.isEncryptedField == true || expected?.isEncryptedField == true
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
          isSecret: (isSecret && name != "isEncrypted" && name != "type")
            || Self.secretNames.contains(name), &differences, limit)
      }
    } else if let found = found?.elements, let expected = expected?.elements,
      found.count == expected.count
    {
      for index in found.indices {
        compare(
          found[index], expected[index], at: "\(path)[\(index)]", isSecret: isSecret, &differences,
          limit)
      }
    } else {
      differences.append(
        CallDifference(
          path: path, found: shown(found, isSecret), expected: shown(expected, isSecret)))
    }
  }

  /// Keys and addresses of assets are no part of messages.
  private static let secretNames: Set = ["wrappingKey", "receipt", "downloadURL"]

  private static func shown(_ json: JSONValue?, _ isSecret: Bool) -> String {
    guard let json else { return "nothing" }
    if isSecret { return "a hidden value" }
    if let elements = json.elements {
      let names = elements.compactMap { $0["recordName"]?.string ?? $0.string }
      let isNamed = names.count == elements.count && !names.isEmpty && names.count <= 5
      let count = elements.count == 1 ? "1 item" : "\(elements.count) items"
      return isNamed ? "\(count) (\(names.joined(separator: ", ")))" : count
    }
    return json.members == nil ? cut(json.compactText) : "an object"
  }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count > 80
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(80))) + "…" : text
  }
}

extension JSONValue {
  /// Whether this is a field of a record with an encrypted value.
  fileprivate var isEncryptedField: Bool {
    self["isEncrypted"]?.bool == true || self["type"]?.string?.hasPrefix("ENCRYPTED_") == true
  }
}
