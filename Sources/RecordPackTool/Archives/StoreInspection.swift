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
    for kind in Self.kinds { add(kind.name, text(of: kind.reason, kind.noun)) }
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

  /// The kinds of losses: the name and noun in text; the key in JSON is that of the reason.
  private static let kinds:
    [(reason: StoreLoss.Reason, name: String, place: String, noun: String)] =
      [
        (.notDecoded, "not decoded", "attribute", "value"),
        (.nameTaken, "name is taken", "attribute", "value"),
        (.notSynchronized, "no records", "table", "row"),
        (.noSystemFields, "no change tag", "table", "record"),
        (.noServerRecord, "no times", "table", "record"),
        (.noServerValue, "server only", "field", "value"),
        (.noRow, "no row", "table", "record"), (.noShare, "no share", "table", "record"),
        (.noZone, "no zone", "entity", "record"),
      ]

  private func text(of reason: StoreLoss.Reason, _ noun: String) -> String {
    losses.filter { $0.loss.reason == reason }
      .map { "\($0.loss.place): \(Numbers.count($0.count, noun))" }.joined(separator: ", ")
  }

  private static func text(_ event: StoreFacts.Event) -> String {
    let date = event.date.map { $0.formatted(.iso8601) } ?? "at an unknown time"
    guard event.hasEnded else { return "started \(date), not ended" }
    return date + (event.hasSucceeded ? "" : ", failed") + (event.error.map { ": \($0)" } ?? "")
  }

  var json: JSONValue {
    let entities = store.entities.map { entity -> JSONValue in
      ["name": entity.name, "objects": entity.count]
    }
    var lost: JSONValue = [:]
    for kind in Self.kinds {
      let values = losses.filter { $0.loss.reason == kind.reason }.map { loss, count -> JSONValue in
        [kind.place: loss.place, kind.noun + "s": count]
      }
      lost = .merging(lost, [kind.reason.rawValue: values])
    }
    let mirroring = store.mirroring.map { state -> JSONValue in
      [
        "neverExported": state.neverExported, "needsUpload": state.needsUpload,
        "needsCloudDelete": state.needsCloudDelete, "withoutObject": state.withoutObject,
        "lastImport": state.lastImport.map(Self.json),
        "lastExport": state.lastExport.map(Self.json),
      ]
    }
    let facts: JSONValue = [
      "library": store.library, "uuid": store.uuid.isEmpty ? nil : store.uuid,
      "modelVersions": store.versionIdentifiers,
      "modelChecksum": store.checksumKey,
      "frameworkVersion": store.frameworkVersion.map { Int($0) },
      "entities": entities, "unexplainedColumns": store.unexplainedColumns,
      "mirroring": mirroring,
    ]
    return .merging(facts, lost)
  }

  private static func json(_ event: StoreFacts.Event) -> JSONValue {
    [
      "date": event.date.map { $0.formatted(.iso8601) }, "ended": event.hasEnded,
      "succeeded": event.hasEnded ? event.hasSucceeded : nil,
      "error": event.error,
    ]
  }
}
