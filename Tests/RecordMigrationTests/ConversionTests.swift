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
    let type = try #require(conversion.type)
    #expect(result.value.type == type || result.value.elements?.isEmpty == true)
    guard result.isExact else { return false }
    let inverse = try #require(conversion.inverse)
    let back = try inverse.convert(result.value, in: Sample.zone, assets: assets)
    #expect(back.isExact && stored(back.value) == stored(value), "\(value) by \(conversion)")
    return true
  }

  private func stored(_ value: RecordValue) -> RecordValue? {
    Sample.stored(Sample.record(["a": value])).field(named: "a")?.value
  }

  @Test("by a factor compute in whole numbers where both sides are whole, else in doubles")
  func factors() throws {
    func converted(
      _ value: RecordValue, _ type: ValueType?, multiply: Int64 = 1, divide: Int64 = 1,
      form: DateFormat? = nil
    ) throws -> RecordValue {
      try Conversion(
        to: type, dateFormat: form, scale: UnitScale(multiplyBy: multiply, divideBy: divide)
      ).convert(value).value
    }
    #expect(try converted(.int64(1500), .double, divide: 1000) == .double(1.5))
    #expect(try converted(.int64(3000), .double, divide: 1000) == .double(3))
    #expect(try converted(.double(1.5), .int64, multiply: 1000) == .int64(1500))
    #expect(try converted(.string("1.5"), .double, multiply: 1000) == .double(1500))
    #expect(try converted(.int64(7), .string, multiply: 60) == .string("420"))
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    #expect(
      try converted(.int64(1_700_000_000_500_000), .timestamp, divide: 1_000_000)
        == .timestamp(date))
    #expect(
      try converted(.timestamp(date), .int64, multiply: 1_000_000)
        == .int64(1_700_000_000_500_000))
    #expect(try converted(.int64List([1, 2]), nil, multiply: 3) == .int64List([3, 6]))
    for (value, type): (RecordValue, ValueType?) in [
      (.int64(1500), nil), (.int64(1500), .int64), (.int64(1500), .string),
    ] {
      #expect(throws: Conversion.Failure.self) { try converted(value, type, divide: 1000) }
    }
    // Nothing there has a unit: to leave the factor out in silence would be wrong.
    for (value, type): (RecordValue, ValueType?) in [
      (.string("7"), nil), (.string("2024-03-01"), .timestamp), (.timestamp(date), .string),
      (.bytes(Data()), .asset), (.location(Location(latitude: 1, longitude: 2)), nil),
    ] {
      #expect(throws: Conversion.Failure.self) { try converted(value, type, multiply: 2) }
    }
  }

  @Test("by a factor are exact up to the last of 64 bits")
  func widest() throws {
    let numbers: [Int64] = [.max, .min, .max - 1, .min + 1, 1 << 62, -(1 << 62), 3, 0, -7]
    let factors: [Int64] = [1, 2, 3, 4, 5, 1000, 1_000_000_000_000]
    for number in numbers {
      for multiplier in factors {
        for divisor in factors {
          let scale = try #require(UnitScale(multiplyBy: multiplier, divideBy: divisor))
          let result = scale.applied(to: number)
          // The same by 128 bits.
          let product = Int128(number) * Int128(multiplier)
          let expected =
            product.isMultiple(of: Int128(divisor))
            ? Int64(exactly: product / Int128(divisor)) : nil
          #expect(result == expected, "\(number) * \(multiplier) / \(divisor)")
        }
      }
    }
  }
}
