import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

/// Dates, in whole milliseconds since 1970.
enum DateValues: GeneratedValues {
  /// Dates of a range.
  case range(ClosedRange<Int>)
  /// The record's creation date, moved by a range of milliseconds.
  case created(ClosedRange<Int>)
  /// The record's modification date.
  case modified

  static let noun = "dates"
  static let sources = [
    ValueSource("date") { node, _ in DateValues.range(try node.dates("date")) },
    ValueSource("created") { node, _ in DateValues.created(try node.durations("created")) },
  ]
  static var words: [(word: String, kind: any GeneratedValues)] {
    [("created", created(0...0)), ("modified", modified)]
  }

  var members: [(name: String, text: String)] {
    switch self {
    case .range(let range):
      [("date", "\(Self.text(range.lowerBound))..\(Self.text(range.upperBound))")]
    case .created(0...0): [("kind", "created")]
    case .created(let range): [("created", range.durationYAML)]
    case .modified: [("kind", "modified")]
    }
  }

  private static func text(_ milliseconds: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return ISODate.text(of: date)?.text ?? "2025-01-01"
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .timestamp }

  func distinctValues(of type: CloudSchema.FieldType) -> Int? {
    if case .range(let range) = self { range.size } else { nil }
  }

  /// Foundation's distant past and future, the first and the last second of other clocks, a leap
  /// day, and fractions of a millisecond, in canonical JSON.
  private static let edges: [StaticString] = [
    "-62135769600000", "64092211200000", "0", "-1000", "2147483648000", "-2208988800000",
    "253402300799999", "951782400000", "978307200000", "1533040623320.5", "1735689599999",
  ]

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let shuffle = distinctValues(of: scope.field.type).flatMap(scope.shuffle)
    let isFree = scope.isFree
    return ValueGenerator(
      append: { context, buffer in
        let date =
          switch self {
          case .range(let range):
            shuffle.map { range.lowerBound &+ $0.place(of: context.number) }
              ?? context.random.number(in: range)
          case .created(let range): context.spot.created &+ context.random.number(in: range)
          case .modified: context.modified
          }
        buffer.appendInteger(Int64(date))
        return true
      },
      edge: { context, buffer in
        guard isFree, shuffle == nil else { return false }
        buffer.append(Self.edges[context.random.below(Self.edges.count)])
        return true
      })
  }
}

/// Random bytes.
struct ByteValues: GeneratedValues {
  let length: CountRule

  static let noun = "bytes"
  static let sources = [
    ValueSource("bytes") { node, _ in
      ByteValues(length: try node.count("bytes", in: 0...RecordLimits.cloudKit.recordSize))
    }
  ]

  var members: [(name: String, text: String)] { [("bytes", length.yaml)] }
  var roughSize: Int { length.bounds.upperBound }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .bytes }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let sampler = CountSampler(length)
    let bytes = ByteBuffer(capacity: 256)
    return ValueGenerator(
      append: { context, buffer in
        bytes.reset(keeping: 1 << 20)
        bytes.appendNoise(sampler.sample(&context.random), &context.random)
        buffer.append(UInt8(ascii: "\""))
        Base64.append(bytes.bytes, to: buffer)
        buffer.append(UInt8(ascii: "\""))
        return true
      },
      edge: { context, buffer in
        buffer.append(context.random.next() & 1 == 0 ? "\"\"" : "\"AP8=\"")
        return true
      })
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    field.lengths.rule(within: 0...LearnedField.maxLength).map(ByteValues.init) ?? self
  }
}

extension ByteBuffer {
  /// Appends random bytes.
  func appendNoise(_ size: Int, _ random: inout SeededNumbers) {
    guard size > 0 else { return }
    let end = count + size
    reserve(size + 8)
    while count < end {
      base.storeBytes(of: random.next().littleEndian, toByteOffset: count, as: UInt64.self)
      count += 8
    }
    count = end
  }
}

/// Places near cities, in millionths of a degree; the same for all fields of a record.
private enum Places {
  static func place(of context: RecordContext) -> (latitude: Int, longitude: Int) {
    var random = SeededNumbers(seed: context.spot.seed ^ 0x706C_6163_65)
    return place(&random)
  }

  static func place(_ random: inout SeededNumbers) -> (latitude: Int, longitude: Int) {
    let city = FactTables.places[random.below(FactTables.places.count)]
    // Up to five kilometres away.
    return (
      city.latitude * 100 + random.number(in: -45_000...45_000),
      city.longitude * 100 + random.number(in: -45_000...45_000)
    )
  }

  static func append(_ millionths: Int, to buffer: ByteBuffer) {
    _ = CanonicalNumber.append(Double(millionths) / 1_000_000, to: buffer)
  }
}

/// The latitude or longitude of the record's place.
enum CoordinateValues: String, GeneratedValues, CaseIterable {
  case latitude, longitude

  static let noun = "decimal numbers"
  static var words: [(word: String, kind: any GeneratedValues)] {
    allCases.map { ($0.rawValue, $0) }
  }

  var members: [(name: String, text: String)] { [("kind", rawValue)] }
  /// The greatest number of degrees.
  var limit: Double { self == .latitude ? 90 : 180 }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.isDouble }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    ValueGenerator { context, buffer in
      let place = Places.place(of: context)
      Places.append(self == .latitude ? place.latitude : place.longitude, to: buffer)
      return true
    }
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    field.isDegrees ? self : field.decimals(places: 2)
  }
}

/// Locations near cities, or in a box.
struct LocationValues: GeneratedValues {
  /// Ranges of latitudes and longitudes, in degrees.
  struct Box: Sendable {
    var latitude: ClosedRange<Double>
    var longitude: ClosedRange<Double>
  }

  /// The box; nil for places near cities.
  var box: Box?

  /// The decimal places of degrees.
  private static let places = 6

  static let noun = "locations"
  static let sources = [
    ValueSource("location") { node, _ in
      if node.node.scalar?.string == "city" { return LocationValues() }
      let members = try node.members("location")
      try members.allow(["latitude", "longitude"], in: "location")
      func degrees(_ coordinate: CoordinateValues) throws -> ClosedRange<Double> {
        let (name, most) = (coordinate.rawValue, coordinate.limit)
        guard let node = members[name] else { return -most...most }
        let range = try node.decimals(name)
        guard range.lowerBound >= -most, range.upperBound <= most else {
          throw node.error("\(name) is from -\(Int(most)) to \(Int(most)) degrees")
        }
        try node.check(range, hasPlaces: places, "\(name): ")
        return range
      }
      return LocationValues(
        box: Box(latitude: try degrees(.latitude), longitude: try degrees(.longitude)))
    }
  ]

  var members: [(name: String, text: String)] {
    guard let box else { return [("location", "city")] }
    return [
      (
        "location",
        "{latitude: \(box.latitude.lowerBound)..\(box.latitude.upperBound), "
          + "longitude: \(box.longitude.lowerBound)..\(box.longitude.upperBound)}"
      )
    ]
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .location }

  /// The poles, the date line, and the corners of the map.
  private static let edges: [StaticString] = [
    "{\"latitude\":90,\"longitude\":0}", "{\"latitude\":-90,\"longitude\":180}",
    "{\"latitude\":0,\"longitude\":-180}", "{\"latitude\":-0,\"longitude\":-0}",
    "{\"latitude\":0.000001,\"longitude\":179.999999,\"altitude\":-11034,\"course\":-1,\"speed\":-1}",
  ]

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let isInList = scope.isInList
    let units = box.map {
      (
        latitude: DecimalValues.units($0.latitude, Self.places),
        longitude: DecimalValues.units($0.longitude, Self.places)
      )
    }
    return ValueGenerator(
      append: { context, buffer in
        var place: (latitude: Int, longitude: Int)
        if let units {
          place.latitude = context.random.number(in: units.latitude)
          place.longitude = context.random.number(in: units.longitude)
        } else {
          place = isInList ? Places.place(&context.random) : Places.place(of: context)
        }
        buffer.append("{\"latitude\":")
        Places.append(place.latitude, to: buffer)
        buffer.append(",\"longitude\":")
        Places.append(place.longitude, to: buffer)
        buffer.append(",\"horizontalAccuracy\":")
        buffer.appendInteger(Int64(context.random.number(in: 5...100)))
        buffer.append(UInt8(ascii: "}"))
        return true
      },
      edge: { context, buffer in
        guard units == nil else { return false }
        buffer.append(Self.edges[context.random.below(Self.edges.count)])
        return true
      })
  }
}
