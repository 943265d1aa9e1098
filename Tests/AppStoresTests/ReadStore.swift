import AppStores
import Foundation
import RecordModel
import RecordStore
import TestSupport

/// The records of a store, read into a container in memory.
struct ReadStore {
  let facts: StoreFacts
  let undecoded: [String: Int]
  let losses: [StoreLoss: Int]
  let schema: String
  private(set) var records: [ResultRecord] = []
  /// The databases that have records.
  private(set) var scopes: Set<DatabaseScope> = []

  init(_ path: String) throws {
    let folder = try TestFolder()
    let (container, losses, facts, info) = try AppStoreFile.withContents(
      of: path, copyingTo: { folder.path }
    ) { store in
      let container = try ContainerStore.inMemory(info: store.info)
      let losses = try container.importTransaction { try store.fill($0) }
      return (container, losses, try store.facts(), store.info)
    }
    (self.losses, self.facts, schema) = (losses, facts, info.schema ?? "")
    undecoded = Dictionary(
      uniqueKeysWithValues: losses.filter { $0.key.reason == .notDecoded }
        .map { ($0.key.place, $0.value) })
    var found: [ResultRecord] = []
    var scopes: Set<DatabaseScope> = []
    try container.snapshot { snapshot in
      for scope in DatabaseScope.allCases {
        try snapshot.forEachRecord(in: scope, filter: .all) {
          found.append($0)
          scopes.insert(scope)
        }
      }
    }
    (records, self.scopes) = (found, scopes)
  }

  /// The records in the form of `app_stores.py`.
  var json: Data {
    get throws {
      let pairs = records.map { record -> (String, [String: Any]) in
        let fields = record.fields.map { ($0.name, Self.json($0.value)) }
        return (
          record.recordID.recordName,
          ["type": record.recordType, "fields": Dictionary(uniqueKeysWithValues: fields)]
        )
      }
      return try JSONSerialization.data(withJSONObject: Dictionary(uniqueKeysWithValues: pairs))
    }
  }

  private static func json(_ value: RecordValue) -> [String: Any] {
    func bits(_ number: Double) -> String {
      let text = String(number.bitPattern, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return switch value {
    case .string(let text): ["string": text]
    case .int64(let number): ["int": number]
    case .double(let number): ["double": bits(number)]
    case .timestamp(let date): ["date": bits(date.timeIntervalSinceReferenceDate)]
    case .bytes(let bytes): ["bytes": bytes.base64EncodedString()]
    case .stringList(let texts): ["list": texts]
    default: ["other": "\(value)"]
    }
  }
}
