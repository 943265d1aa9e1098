import Foundation
import RecordArchive
import RecordModel

/// Says how two values differ whose usual texts are the same, or look the same.
package struct ExactDifference {
  private let showEncrypted: Bool

  package init(showEncrypted: Bool) { self.showEncrypted = showEncrypted }

  /// A part of a value, in enough detail to tell it from any other.
  private typealias Part = (name: String, text: String)

  /// The first part that differs, with both texts: `changed in element 9: "a" → "b"`.
  package func words(_ before: Field, _ after: Field) -> String {
    guard showEncrypted || !before.isEncrypted && !after.isEncrypted else { return "changed" }
    return Self.words(parts(before), parts(after)) ?? Self.hidden
  }

  /// How two texts differ: `changed: "a" → "b"`.
  package static func words(_ before: String, _ after: String) -> String {
    change(before, after).map { "changed\($0)" } ?? hidden
  }

  /// The difference must not be shown.
  private static let hidden = "changed in a hidden part"

  /// Both texts after a colon; nil if they are the same.
  private static func change(_ before: String, _ after: String) -> String? {
    guard !before.sameScalars(as: after) else { return nil }
    let (old, new) = excerpts(before, after)
    return "\(before == after ? " in its Unicode normalization" : ""): \(old) → \(new)"
  }

  private static func words(_ before: [Part], _ after: [Part]) -> String? {
    for place in 0..<max(before.count, after.count) {
      let old = place < before.count ? before[place] : nil
      let new = place < after.count ? after[place] : nil
      if let old, let new, old.name == new.name {
        guard let change = change(old.text, new.text) else { continue }
        return "changed\(old.name.isEmpty ? "" : " in \(old.name)")\(change)"
      }
      return [old, new].compactMap { $0 }.map { "changed in \($0.name)" }.first
    }
    return nil
  }

  // MARK: Parts

  private func parts(_ field: Field) -> [Part] {
    [("its encryption", field.isEncrypted ? "encrypted" : "not encrypted")]
      + [("its type", field.value.typeName)] + parts(field.value) + parts(field.otherMembers)
  }

  private func parts(_ value: RecordValue) -> [Part] {
    switch value {
    case .string(let value): [("", value)]
    case .int64(let value): [("", "\(value)")]
    case .double(let value): [("", Self.exact(value))]
    case .timestamp(let value): [("", Self.exact(value))]
    case .bytes(let value): [("", Self.exact(value))]
    case .location(let value): parts(value)
    case .reference(let value): parts(value)
    case .asset(let value): parts(value)
    case .stringList(let values): list(values) { [("", $0)] }
    case .int64List(let values): list(values) { [("", "\($0)")] }
    case .doubleList(let values): list(values) { [("", Self.exact($0))] }
    case .timestampList(let values): list(values) { [("", Self.exact($0))] }
    case .bytesList(let values): list(values) { [("", Self.exact($0))] }
    case .locationList(let values): list(values, parts)
    case .referenceList(let values): list(values, parts)
    case .assetList(let values): list(values, parts)
    case .emptyList: []
    // The text may contain a key.
    case .unknown(_, let json): [("", shown(json.text))]
    }
  }

  private func list<T>(_ values: [T], _ parts: (T) -> [Part]) -> [Part] {
    let elements = values.enumerated().flatMap { index, value in
      parts(value).map { part in
        Part("element \(index + 1)\(part.name.isEmpty ? "" : ", \(part.name)")", part.text)
      }
    }
    return [("its number of elements", "\(values.count)")] + elements
  }

  private func parts(_ place: Location) -> [Part] {
    let numbers = [
      ("its latitude", place.latitude), ("its longitude", place.longitude),
      ("its altitude", place.altitude), ("its horizontal accuracy", place.horizontalAccuracy),
      ("its vertical accuracy", place.verticalAccuracy), ("its course", place.course),
      ("its speed", place.speed),
    ]
    return numbers.map { ($0.0, $0.1.map(Self.exact) ?? "none") }
      + [("its date", place.timestamp.map(Self.exact) ?? "none")] + parts(place.otherMembers)
  }

  private func parts(_ reference: Reference) -> [Part] {
    let recordID = reference.recordID
    return [
      ("its record name", recordID.recordName), ("its zone", recordID.zoneID.zoneName),
      ("its owner", recordID.zoneID.ownerName), ("its action", reference.action.rawValue),
    ] + parts(reference.otherMembers)
  }

  private func parts(_ asset: Asset) -> [Part] {
    let content =
      switch asset.content {
      case nil: "none"
      case .file(let url): url.absoluteString
      case .data(let data): Self.exact(data)
      }
    let texts = [
      ("its size", asset.size.map { "\($0)" }), ("its SHA-256", asset.sha256),
      ("its fileChecksum", asset.fileChecksum), ("its referenceChecksum", asset.referenceChecksum),
      ("its receipt", asset.receipt), ("its downloadURL", asset.downloadURL),
      ("its wrappingKey", showEncrypted ? asset.wrappingKey : nil),
    ]
    return texts.map { ($0.0, $0.1 ?? "none") } + [("its content", content)]
      + parts(asset.otherMembers)
  }

  private func parts(_ members: OtherMembers) -> [Part] {
    members.map { ("its member \($0.name.visible)", shown($0.value.text, named: $0.name)) }
  }

  private func shown(_ json: String, named name: String? = nil) -> String {
    RecordDisclosure(showEncrypted: showEncrypted).shown(json, named: name)
  }

  // MARK: Texts

  private static func exact(_ number: Double) -> String {
    // Some bit patterns have the same text.
    number.isNaN ? "NaN 0x\(String(number.bitPattern, radix: 16))" : "\(number)"
  }

  private static func exact(_ date: Date) -> String {
    "\(exact(date.timeIntervalSinceReferenceDate)) s since 2001"
  }

  private static func exact(_ data: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
  /// Whether a person could not tell both texts apart: they differ in what has no shape of its own, or
  /// in kinds of spaces.
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
