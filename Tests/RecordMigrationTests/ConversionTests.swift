import Foundation
import RecordModel
import Testing

@testable import RecordMigration

@Suite("Conversions")
struct ConversionTests {
  @Test("between any two types end with a value or a reason, and lead back where they are exact")
  func everyPair() throws {
    var random = SeededGenerator(77)
    var exact: [ValueType: Set<ValueType>] = [:]
    for old in ValueType.allCases {
      for new in ValueType.allCases {
        for _ in 0..<60 {
          let conversion = try Sample.conversion(old, new, &random)
          let value = Sample.value(of: old, &random)
          if try leadsBack(value, conversion) { exact[old, default: []].insert(new) }
        }
      }
    }
    // What the documentation promises, and lists of the same.
    let promised: [ValueType: Set<ValueType>] = [
      .string: [.int64, .double, .timestamp, .bytes, .reference, .stringList],
      .int64: [.string, .double, .timestamp, .int64List],
      .double: [.string, .int64, .timestamp, .doubleList],
      .timestamp: [.string, .int64, .double, .timestampList],
      .bytes: [.string, .asset, .bytesList], .asset: [.bytes, .assetList],
      .reference: [.string, .referenceList], .location: [.locationList],
      .stringList: [.string, .int64List, .doubleList, .timestampList, .referenceList],
      .int64List: [.int64, .stringList, .timestampList], .bytesList: [.bytes, .assetList],
      .assetList: [.asset, .bytesList], .referenceList: [.reference, .stringList],
    ]
    for (old, types) in promised {
      #expect(types.subtracting(exact[old] ?? []) == [], "from \(old.rawValue)")
    }
    // A place is a place.
    #expect(exact[.location]?.subtracting([.location, .locationList]) == [])
  }

  /// Whether a value is converted, and exactly so.
  private func leadsBack(_ value: RecordValue, _ conversion: Conversion) throws -> Bool {
    let assets = Sample.environment.assets
    let result: (value: RecordValue, isExact: Bool)
    do {
      result = try conversion.convert(value, in: Sample.zone, assets: assets)
    } catch is Conversion.Failure {
      return false
    }
    #expect(
      result.value.type == conversion.type || result.value.elements?.isEmpty == true)
    guard result.isExact else { return false }
    let inverse = try #require(conversion.inverse)
    let back = try inverse.convert(result.value, in: Sample.zone, assets: assets)
    #expect(back.isExact && stored(back.value) == stored(value), "\(value) by \(conversion)")
    return true
  }

  private func stored(_ value: RecordValue) -> RecordValue? {
    Sample.stored(Sample.record(["a": value])).field(named: "a")?.value
  }
}
