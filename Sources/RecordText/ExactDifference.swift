import RecordArchive
import RecordCoding
import RecordModel

/// Says how two values differ whose usual texts are the same, or look the same: by the first difference
/// of their JSON.
package struct ExactDifference {
  private let showEncrypted: Bool

  package init(showEncrypted: Bool) { self.showEncrypted = showEncrypted }

  /// The first part that differs, with both texts: `changed in value[8]: "a" → "b"`.
  package func words(_ before: Field, _ after: Field) -> String {
    guard showEncrypted || !before.isEncrypted && !after.isEncrypted,
      let old = try? before.dictionary(in: .default), let new = try? after.dictionary(in: .default)
    else { return "changed" }
    let disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    return Self.difference("", disclosure.shown(old), disclosure.shown(new)) ?? Self.hidden
  }

  /// How two texts differ: `changed: "a" → "b"`.
  package static func words(_ before: String, _ after: String) -> String {
    change(before, after).map { "changed\($0)" } ?? hidden
  }

  /// The difference must not be shown.
  private static let hidden = "changed in a hidden part"

  /// - Parameter path: The path of both, such as `value.zoneID`.
  private static func difference(
    _ path: String, _ before: JSONValue?, _ after: JSONValue?
  ) -> String? {
    guard let before, let after else {
      return before == nil && after == nil ? nil : "changed in \(path.visible)"
    }
    if let old = before.members, let new = after.members {
      let added = new.map(\.name).filter { before[$0] == nil }
      for name in old.map(\.name) + added {
        let path = path.isEmpty ? name : "\(path).\(name)"
        if let found = difference(path, before[name], after[name]) { return found }
      }
      return nil
    }
    if let old = before.elements, let new = after.elements {
      for index in 0..<max(old.count, new.count) {
        let (old, new) = (
          index < old.count ? old[index] : nil, index < new.count ? new[index] : nil
        )
        if let found = difference("\(path)[\(index)]", old, new) { return found }
      }
      return nil
    }
    let place = path == "value" ? "" : " in \(path.visible)"
    return change(before.string ?? before.compactText, after.string ?? after.compactText).map {
      "changed\(place)\($0)"
    }
  }

  /// Both texts after a colon; nil if they are the same.
  private static func change(_ before: String, _ after: String) -> String? {
    guard !before.sameScalars(as: after) else { return nil }
    let (old, new) = excerpts(before, after)
    return "\(before == after ? " in its Unicode normalization" : ""): \(old) → \(new)"
  }

  /// The number of scalars to show before the first difference, and in all.
  private static let (context, length) = (12, 48)

  /// Both texts around their first difference, with everything escaped that can look like something
  /// else.
  private static func excerpts(_ before: String, _ after: String) -> (String, String) {
    let common = zip(before.unicodeScalars, after.unicodeScalars).prefix { $0 == $1 }.count
    let start = common > 2 * context ? common - context : 0
    func excerpt(_ text: String) -> String {
      let scalars = text.unicodeScalars.dropFirst(start)
      let shown = scalars.prefix(length).map { $0.escaped(asASCII: true) }.joined()
      return "\(start > 0 ? "…" : "")\"\(shown)\"\(scalars.count > length ? "…" : "")"
    }
    return (excerpt(before), excerpt(after))
  }
}

extension String {
  /// Whether both texts look the same to a person: they differ in characters without a shape of
  /// their own, or in kinds of spaces.
  package func looksLike(_ other: String) -> Bool {
    func shape(_ text: String) -> String {
      var shape = String.UnicodeScalarView()
      for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
        shape.append(scalar.properties.isWhitespace ? " " : scalar)
      }
      return String(shape)
    }
    return self == other || shape(self) == shape(other)
  }
}
