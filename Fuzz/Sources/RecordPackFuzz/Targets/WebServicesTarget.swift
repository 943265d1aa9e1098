import Foundation
import RecordCoding
import RecordModel

/// Responses of CloudKit Web Services.
struct WebServicesTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    let response = try ResponseContents(Data(input))
    for record in response.records {
      checkCircle(record)
      checkAccess(record)
    }
    let writer = WebServicesWriter(zones: response.allZones)
    let page = requireNoError("writing what was read") {
      try writer.page(records: response.records, tombstones: response.tombstones)
    }
    let back = requireNoError("reading the written page") { try ResponseContents(page) }
    require(
      back.records == response.records, "records come back changed: \(difference(page, input))")
    require(
      back.tombstones.map(\.recordID) == response.tombstones.map(\.recordID)
        && back.tombstones.map(\.recordType) == response.tombstones.map(\.recordType),
      "tombstones come back changed: \(difference(page, input))")
    let zones = requireNoError("writing zones") { try writer.page(zones: response.zones) }
    let zonesBack = requireNoError("reading the written zones") { try ResponseContents(zones) }
    require(
      zonesBack.zones.map(\.zoneID) == response.zones.map(\.zoneID),
      "zones come back changed: \(difference(zones, input))")
  }
}
