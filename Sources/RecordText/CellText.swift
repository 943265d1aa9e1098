import Foundation
import RecordArchive
import RecordCoding
import RecordModel

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
    default:
      if inWords { return try elements.map { try $0.cellText(disclosure) }.joined(separator: ", ") }
      switch self {
      case .referenceList, .assetList:
        let texts = try elements.map { JSONValue.string(try $0.cellText(disclosure)) }
        return JSONValue.array(texts).compactText
      default:
        let field = try Field(name: "value", value: self).jsonValue()
        return disclosure.shown(field["value"] ?? .null).compactText
      }
    }
  }

  /// The elements of a list; empty for another value.
  private var elements: [RecordValue] {
    switch self {
    case .stringList(let list): list.map { .string($0) }
    case .int64List(let list): list.map { .int64($0) }
    case .doubleList(let list): list.map { .double($0) }
    case .timestampList(let list): list.map { .timestamp($0) }
    case .bytesList(let list): list.map { .bytes($0) }
    case .locationList(let list): list.map { .location($0) }
    case .referenceList(let list): list.map { .reference($0) }
    case .assetList(let list): list.map { .asset($0) }
    default: []
    }
  }

  /// Where a column of such values is in a table, if `--fields` does not say: first what people
  /// read, then what refers to other records or files, then lists.
  package var columnRank: Int {
    switch self {
    case .string, .int64, .double, .timestamp, .location: 0
    case .reference, .asset, .bytes, .unknown: 1
    default: 2
    }
  }
}
