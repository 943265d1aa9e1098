import AppStores
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// The facts about the store of an app that `inspect` shows.
struct StoreInspection {
  private let store: StoreFacts
  private let losses: [(loss: StoreLoss, count: Int)]

  init(_ source: AppStoreSource) throws {
    store = try source.facts()
    losses = source.losses
  }

  var kind: String { "store of \(store.library)" }

  /// The names and texts of the facts.
  var facts: [(name: String, text: String)] {
    var facts: [(name: String, text: String)] = []
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { facts.append((name, text)) }
    }
    add("store", store.uuid)
    add("model", store.versionIdentifiers.joined(separator: ", "))
    add("checksum", store.checksumKey)
    add("written by", store.frameworkVersion.map { "Core Data \($0)" })
    for (place, entity) in store.entities.enumerated() {
      add(place == 0 ? "entities" : " ", "\(entity.name): \(Numbers.grouped(entity.count))")
    }
    add("not decoded", text(of: .notDecoded, "value"))
    add("name is taken", text(of: .nameTaken, "value"))
    add("no records", text(of: .notSynchronized, "row"))
    add("no property", store.unexplainedColumns.firstFew)
    guard let mirroring = store.mirroring else { return facts }
    add("not uploaded", Numbers.count(mirroring.neverExported, "object") + " never exported")
    add("to upload", mirroring.needsUpload.map { Numbers.count($0, "object") })
    add("to delete", mirroring.needsCloudDelete.map { Numbers.count($0, "record") })
    if mirroring.withoutObject > 0 {
      add("no object", Numbers.count(mirroring.withoutObject, "row") + " about records")
    }
    add("last import", mirroring.lastImport.map(Self.text))
    add("last export", mirroring.lastExport.map(Self.text))
    return facts
  }

  private func text(of reason: StoreLoss.Reason, _ noun: String) -> String {
    losses.filter { $0.loss.reason == reason }
      .map { "\($0.loss.place): \(Numbers.count($0.count, noun))" }.joined(separator: ", ")
  }

  private static func text(_ event: StoreFacts.Event) -> String {
    let date = event.date.map { $0.formatted(.iso8601) } ?? "at an unknown time"
    return date + (event.hasSucceeded ? "" : ", failed") + (event.error.map { ": \($0)" } ?? "")
  }

  var json: JSONValue {
    let entities = store.entities.map { entity -> JSONValue in
      ["name": entity.name, "objects": entity.count]
    }
    func json(_ reason: StoreLoss.Reason, _ place: String, _ count: String) -> [JSONValue] {
      losses.filter { $0.loss.reason == reason }.map { [place: $0.loss.place, count: $0.count] }
    }
    let mirroring = store.mirroring.map { state -> JSONValue in
      [
        "neverExported": state.neverExported, "needsUpload": state.needsUpload,
        "needsCloudDelete": state.needsCloudDelete, "withoutObject": state.withoutObject,
        "lastImport": state.lastImport.map(Self.json),
        "lastExport": state.lastExport.map(Self.json),
      ]
    }
    return [
      "library": store.library, "uuid": store.uuid.isEmpty ? nil : store.uuid,
      "modelVersions": store.versionIdentifiers,
      "modelChecksum": store.checksumKey,
      "frameworkVersion": store.frameworkVersion.map { Int($0) },
      "entities": entities, "notDecoded": json(.notDecoded, "attribute", "values"),
      "nameTaken": json(.nameTaken, "attribute", "values"),
      "notSynchronized": json(.notSynchronized, "table", "rows"),
      "unexplainedColumns": store.unexplainedColumns,
      "mirroring": mirroring,
    ]
  }

  private static func json(_ event: StoreFacts.Event) -> JSONValue {
    [
      "date": event.date.map { $0.formatted(.iso8601) }, "succeeded": event.hasSucceeded,
      "error": event.error,
    ]
  }
}
