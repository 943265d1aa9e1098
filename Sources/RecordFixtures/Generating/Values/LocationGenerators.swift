import RecordCoding
import RecordPlatform

/// Places near cities, in millionths of a degree; the same for all fields of a record.
enum Places {
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
final class CoordinateGenerator: FieldGenerator {
  private let coordinate: ValueRule.Coordinate

  init(_ coordinate: ValueRule.Coordinate) { self.coordinate = coordinate }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let place = Places.place(of: context)
    Places.append(coordinate == .latitude ? place.latitude : place.longitude, to: buffer)
    return true
  }
}

/// Locations near cities, or in a box.
final class LocationGenerator: FieldGenerator {
  /// The decimal places of degrees.
  static let places = 6

  private let box: (latitude: ClosedRange<Int>, longitude: ClosedRange<Int>)?
  private let isInList: Bool

  init(_ box: ValueRule.Box?, isInList: Bool) {
    self.box = box.map {
      (ValueRule.units($0.latitude, Self.places), ValueRule.units($0.longitude, Self.places))
    }
    self.isInList = isInList
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    var place: (latitude: Int, longitude: Int)
    if let box {
      place.latitude = context.random.number(in: box.latitude)
      place.longitude = context.random.number(in: box.longitude)
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
  }

  /// The poles, the date line, and the corners of the map.
  private static let edges: [StaticString] = [
    "{\"latitude\":90,\"longitude\":0}", "{\"latitude\":-90,\"longitude\":180}",
    "{\"latitude\":0,\"longitude\":-180}", "{\"latitude\":-0,\"longitude\":-0}",
    "{\"latitude\":0.000001,\"longitude\":179.999999,\"altitude\":-11034,\"course\":-1,\"speed\":-1}",
  ]

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard box == nil else { return false }
    buffer.append(Self.edges[context.random.below(Self.edges.count)])
    return true
  }
}
