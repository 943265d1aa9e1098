import Foundation
import RecordArchive
import RecordCoding
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
    guard let elements = field.value.elements else { return [scalar(field.value).visible] }
    if elements.isEmpty { return ["(empty)"] }
    var lines = elements.prefix(Self.maxElements).map { scalar($0).visible }
    if elements.count > Self.maxElements {
      lines.append("… \(Numbers.grouped(elements.count - Self.maxElements)) more")
    }
    return lines
  }

  /// The names of the records that references refer to, each a line.
  package func names(of references: [Reference]) -> [String] {
    let rest = references.count - Self.maxElements
    return references.prefix(Self.maxElements).map { "→ \($0.recordID.recordName.visible)" }
      + (rest > 0 ? ["… \(Numbers.grouped(rest)) more"] : [])
  }

  /// The value on one line.
  package func line(_ field: Field) -> String {
    if field.isEncrypted && !showEncrypted { return Self.masked }
    func line(_ value: RecordValue) -> String {
      if case .string(let text) = value { return quoted(text) }
      return Self.truncated(scalar(value))
    }
    guard let elements = field.value.elements else { return line(field.value) }
    let shown = elements.prefix(8).map(line)
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
      // Negative ones of these are Core Location's words for unknown.
      let isUnknown = name != "altitude" && (value ?? 0) < 0
      if let value { text += isUnknown ? "  \(name) unknown" : "  \(name) \(value) \(unit)" }
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

extension RecordValue {
  /// The value as the text of a cell: a date in ISO 8601, bytes in base64, a reference as the name
  /// of its record, an asset as its SHA-256, a location as latitude and longitude.
  ///
  /// - Parameter inWords: Whether to separate the elements of a list by commas, for people; otherwise
  ///   a list is JSON.
  package func cellText(_ disclosure: RecordDisclosure, inWords: Bool = false) throws -> String {
    switch self {
    case .string(let text): return text
    case .int64(let number): return String(number)
    case .double(let number): return number.description
    case .timestamp(let date): return date.isoText
    case .bytes(let data): return data.base64EncodedString()
    case .reference(let reference): return reference.recordID.recordName
    case .location(let place): return "\(place.latitude),\(place.longitude)"
    case .asset(let asset): return asset.sha256 ?? asset.fileChecksum ?? ""
    case .unknown(_, let json): return disclosure.shown(json.text)
    case .referenceList, .assetList, .timestampList,
      _ where inWords:
      let texts = try (elements ?? []).map { try $0.cellText(disclosure) }
      return inWords
        ? texts.joined(separator: ", ") : JSONValue.array(texts.map(JSONValue.string)).compactText
    default:
      let field = try Field(name: "value", value: self).jsonValue()
      return disclosure.shown(field["value"] ?? .null).compactText
    }
  }

  /// The rank of a column in a table: 0 for values that people read, 1 for references and files, 2
  /// for lists.
  fileprivate var columnRank: Int {
    switch self {
    case .reference, .asset, .bytes, .unknown: 1
    default: elements == nil ? 0 : 2
    }
  }
}

/// The fields that a table of records shows if nobody has chosen any.
package enum CommonFields {
  /// Returns the names of the fields that more than half of the records have: first what people
  /// read, then what refers to other records or files, then lists.
  package static func names(in records: some Collection<ResultRecord>) -> [String] {
    var found: [Field] = []
    var counts: [ExactString: Int] = [:]
    for field in records.lazy.flatMap(\.fields) {
      let name = ExactString(field.name)
      if counts[name] == nil { found.append(field) }
      counts[name, default: 0] += 1
    }
    let common = found.filter { 2 * counts[ExactString($0.name), default: 0] > records.count }
    return (0...2).flatMap { rank in
      common.filter { $0.value.columnRank == rank }.map(\.name)
    }
  }
}
