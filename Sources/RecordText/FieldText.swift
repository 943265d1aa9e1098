import Foundation
import RecordArchive
import RecordModel

/// Formats the value of a field as text.
package struct FieldText {
  package let showEncrypted: Bool

  package init(showEncrypted: Bool) { self.showEncrypted = showEncrypted }

  /// The placeholder for a hidden value.
  package static let masked = "<encrypted>"
  /// The number of list elements to show.
  private static let maxElements = 100
  /// The number of bytes to show.
  private static let maxBytes = 16
  /// The number of characters of a text to show on a line.
  private static let maxCharacters = 200

  package func lines(_ field: Field) -> [String] {
    if field.isEncrypted && !showEncrypted { return [Self.masked] }
    if case .string(let text) = field.value {
      // Line breaks are kept, other control characters escaped.
      return text.split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0).visible
      }
    }
    guard let elements = elements(field.value) else { return [scalar(field.value).visible] }
    if elements.isEmpty { return ["(empty)"] }
    var lines = elements.prefix(Self.maxElements).map(\.visible)
    if elements.count > Self.maxElements {
      lines.append("… \(Numbers.grouped(elements.count - Self.maxElements)) more")
    }
    return lines
  }

  /// The value on one line.
  package func line(_ field: Field) -> String {
    if field.isEncrypted && !showEncrypted { return Self.masked }
    if case .string(let text) = field.value { return quoted(text) }
    guard let elements = elements(field.value) else {
      return Self.truncated(scalar(field.value))
    }
    let isText = if case .stringList = field.value { true } else { false }
    let shown = elements.prefix(8).map { isText ? quoted($0) : Self.truncated($0) }
    let rest = elements.count - shown.count
    return "[\(shown.joined(separator: ", "))\(rest > 0 ? ", … \(rest) more" : "")]"
  }

  /// The text in quotation marks, truncated to 200 characters. Backslashes and quotation marks in it
  /// are escaped.
  package func quoted(_ text: String) -> String {
    let shown = text.prefix(Self.maxCharacters)
    let escaped = shown.unicodeScalars.map { $0.escaped() }.joined()
    return "\"\(escaped)\(shown.endIndex < text.endIndex ? "…" : "")\""
  }

  /// The text, truncated to 200 characters, with control characters escaped.
  static func truncated(_ text: String) -> String {
    let shown = text.prefix(maxCharacters)
    return String(shown).visible + (shown.endIndex < text.endIndex ? "…" : "")
  }

  /// The elements of a list; nil for a single value.
  private func elements(_ value: RecordValue) -> [String]? {
    switch value {
    case .stringList(let values): values
    case .int64List(let values): values.map(String.init)
    case .doubleList(let values): values.map(\.description)
    case .timestampList(let values): values.map(\.inWords)
    case .bytesList(let values): values.map(bytes)
    case .locationList(let values): values.map(location)
    case .referenceList(let values): values.map(reference)
    case .assetList(let values): values.map(asset)
    case .emptyList: []
    default: nil
    }
  }

  private func scalar(_ value: RecordValue) -> String {
    switch value {
    case .string(let value): value
    case .int64(let value): String(value)
    case .double(let value): value.description
    case .timestamp(let value): value.inWords
    case .bytes(let value): bytes(value)
    case .location(let value): location(value)
    case .reference(let value): reference(value)
    case .asset(let value): asset(value)
    // A value of an unknown type may contain a key.
    case .unknown(_, let json):
      RecordDisclosure(showEncrypted: showEncrypted).shown(json.text)
    default: ""
    }
  }

  private func bytes(_ data: Data) -> String {
    let digits = data.prefix(Self.maxBytes).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    let shown = digits.joined() + (data.count > Self.maxBytes ? "…" : "")
    return [Numbers.size(data.count), shown].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private func location(_ place: Location) -> String {
    var text = "\(place.latitude), \(place.longitude)"
    func add(_ name: String, _ value: Double?, _ unit: String) {
      if let value { text += "  \(name) \(value) \(unit)" }
    }
    add("±", place.horizontalAccuracy, "m")
    add("altitude", place.altitude, "m")
    add("altitude ±", place.verticalAccuracy, "m")
    add("course", place.course, "°")
    add("speed", place.speed, "m/s")
    if let date = place.timestamp { text += "  at \(date.inWords)" }
    return text
  }

  package func reference(_ reference: Reference) -> String {
    let action = reference.action == .none ? "" : "  (\(reference.action.rawValue))"
    return "→ \(reference.recordID)\(action)"
  }

  private func asset(_ asset: Asset) -> String {
    var parts: [String] = []
    if let size = asset.size { parts.append(Numbers.size(size)) }
    if let digest = asset.sha256 { parts.append("sha256 \(digest)") }
    if asset.sha256 == nil, let sum = asset.fileChecksum { parts.append("checksum \(sum)") }
    if asset.sha256 == nil { parts.append("(bytes missing)") }
    return parts.joined(separator: "  ")
  }
}
