import RecordCoding
import RecordPlatform

/// The record that values are made for.
final class RecordContext {
  // One thread uses a context, so that checks for each access would cost time for nothing.
  /// The random numbers of the field.
  @exclusivity(unchecked) var random = SeededNumbers(seed: 0)
  @exclusivity(unchecked) var spot = RecordSpot()
  /// Milliseconds since 1970.
  @exclusivity(unchecked) var modified = 0
  /// The number of the record among all of its type, from 0.
  @exclusivity(unchecked) var number = 0
}

/// Makes values, as canonical JSON. Each thread has its own generators.
class FieldGenerator {
  /// Appends a value.
  ///
  /// - Returns: false if there is none; the buffer may then have a part of one.
  func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool { false }

  /// Appends a value at the edge of what CloudKit allows.
  ///
  /// - Returns: false, and appends nothing, if the field keeps to its rule.
  func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool { false }
}

/// Always the same value, or one of several.
final class ChoiceGenerator: FieldGenerator {
  private let values: [[UInt8]]
  private let table: CumulativeTable?

  /// - Parameter values: Canonical JSON, with weights.
  init(_ values: [(json: [UInt8], weight: Double)]) {
    self.values = values.map(\.json)
    table = values.count > 1 ? CumulativeTable(values.map(\.weight)) : nil
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(values[table?.sample(&context.random) ?? 0])
    return true
  }
}

/// A list of values.
final class ListGenerator: FieldGenerator {
  private let element: FieldGenerator
  private let length: CountSampler

  init(_ element: FieldGenerator, _ length: CountRule) {
    self.element = element
    self.length = CountSampler(length)
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(UInt8(ascii: "["))
    let start = buffer.count
    for _ in 0..<length.sample(&context.random) {
      let end = buffer.count
      if end > start { buffer.append(UInt8(ascii: ",")) }
      if !element.append(context, to: buffer) { buffer.count = end }
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append("[]")
    return true
  }
}

/// Random bytes.
final class BytesGenerator: FieldGenerator {
  private let length: CountSampler
  private let bytes = ByteBuffer(capacity: 256)

  init(_ length: CountRule) { self.length = CountSampler(length) }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let count = length.sample(&context.random)
    bytes.reset(keeping: 1 << 20)
    bytes.reserve(count + 8)
    while bytes.count < count {
      let word = context.random.next().littleEndian
      bytes.base.storeBytes(of: word, toByteOffset: bytes.count, as: UInt64.self)
      bytes.count += 8
    }
    bytes.count = count
    buffer.append(UInt8(ascii: "\""))
    Base64.append(bytes.bytes, to: buffer)
    buffer.append(UInt8(ascii: "\""))
    return true
  }

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(context.random.next() & 1 == 0 ? "\"\"" : "\"AP8=\"")
    return true
  }
}

/// Whole numbers of a distribution, for integers and doubles.
final class IntegerGenerator: FieldGenerator {
  private let sampler: CountSampler
  private let bounds: ClosedRange<Int>
  private let isDouble: Bool
  private let hasEdges: Bool
  private let shuffle: Shuffle?

  init(_ rule: CountRule, isDouble: Bool, hasEdges: Bool, unique: Shuffle?) {
    sampler = CountSampler(rule)
    bounds = rule.bounds
    self.isDouble = isDouble
    self.hasEdges = hasEdges
    shuffle = unique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number =
      shuffle.map { bounds.lowerBound &+ $0.place(of: context.number) }
      ?? sampler.sample(&context.random)
    append(number, to: buffer)
    return true
  }

  private func append(_ number: Int, to buffer: ByteBuffer) {
    if isDouble {
      _ = CanonicalNumber.append(Double(number), to: buffer)
    } else {
      buffer.appendInteger(Int64(number))
    }
  }

  private static let edges = [0, 1, -1, .max, .min, 1 << 31, -1 << 31 - 1, 1 << 53 + 1]

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard shuffle == nil else { return false }
    guard hasEdges else {
      append(context.random.next() & 1 == 0 ? bounds.lowerBound : bounds.upperBound, to: buffer)
      return true
    }
    append(Self.edges[context.random.below(Self.edges.count)], to: buffer)
    return true
  }
}

/// Decimal numbers of a range.
final class DecimalGenerator: FieldGenerator {
  private let units: ClosedRange<Int>
  private let scale: Double
  private let hasEdges: Bool
  private let shuffle: Shuffle?

  init(_ units: ClosedRange<Int>, places: Int, hasEdges: Bool, unique: Shuffle?) {
    self.units = units
    scale = Double(FieldRule.powersOfTen[places])
    self.hasEdges = hasEdges
    shuffle = unique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number =
      shuffle.map { units.lowerBound &+ $0.place(of: context.number) }
      ?? context.random.number(in: units)
    return CanonicalNumber.append(Double(number) / scale, to: buffer)
  }

  private static let edges: [Double] = [
    0, -0.0, 0.1 + 0.2, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude,
    -Double.greatestFiniteMagnitude, 1e21, 1e-7,
    9_007_199_254_740_992, 0.1,
  ]

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard shuffle == nil else { return false }
    guard hasEdges else {
      let end = context.random.next() & 1 == 0 ? units.lowerBound : units.upperBound
      return CanonicalNumber.append(Double(end) / scale, to: buffer)
    }
    return CanonicalNumber.append(
      Self.edges[context.random.below(Self.edges.count)], to: buffer)
  }
}

/// Numbers that grow: over all records of the type, or over the children of a parent.
final class SequenceGenerator: FieldGenerator {
  private let start: Int
  private let step: Int
  private let isPosition: Bool
  private let isDouble: Bool

  init(from start: Int, step: Int, isPosition: Bool, isDouble: Bool) {
    (self.start, self.step, self.isPosition, self.isDouble) = (start, step, isPosition, isDouble)
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let number =
      start &+ (isPosition ? context.spot.position : context.number) &* step
    if isDouble { return CanonicalNumber.append(Double(number), to: buffer) }
    buffer.appendInteger(Int64(number))
    return true
  }
}

/// An order of the numbers below a size in which each occurs once, without a table.
struct Shuffle {
  private let size: UInt64
  private let factor: UInt64
  private let offset: UInt64

  /// - Parameter size: Above 0.
  init(size: UInt64, key: UInt64) {
    self.size = size
    var random = SeededNumbers(seed: key)
    offset = random.next() % size
    // A factor without a common divisor makes the product of each number another one.
    var factor = size / 2 + random.next() % (size / 2 + 1) | 1
    while Self.divisor(factor, size) != 1 { factor &+= 1 }
    self.factor = factor % size == 0 ? 1 : factor % size
  }

  func place(of number: Int) -> Int {
    let product = (UInt64(number) % size).multipliedFullWidth(by: factor)
    let rest = size.dividingFullWidth(product).remainder
    // Both are below the size, which is at most 2^63.
    return Int((rest &+ offset) % size)
  }

  private static func divisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}

/// Dates, in whole milliseconds.
final class DateGenerator: FieldGenerator {
  enum Form {
    case range(ClosedRange<Int>)
    case created(ClosedRange<Int>)
    case modified
  }

  private let form: Form
  private let hasEdges: Bool
  private let shuffle: Shuffle?

  init(_ form: Form, hasEdges: Bool, unique: Shuffle?) {
    self.form = form
    self.hasEdges = hasEdges
    shuffle = unique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let date =
      switch form {
      case .range(let range):
        shuffle.map { range.lowerBound &+ $0.place(of: context.number) }
          ?? context.random.number(in: range)
      case .created(let range): context.spot.created &+ context.random.number(in: range)
      case .modified: context.modified
      }
    buffer.appendInteger(Int64(date))
    return true
  }

  /// Foundation's distant past and future, the first and the last second of other clocks, a leap
  /// day, and fractions of a millisecond, in canonical JSON.
  private static let edges: [StaticString] = [
    "-62135769600000", "64092211200000", "0", "-1000", "2147483648000", "-2208988800000",
    "253402300799999", "951782400000", "978307200000", "1533040623320.5", "1735689599999",
  ]

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard hasEdges, shuffle == nil else { return false }
    buffer.append(Self.edges[context.random.below(Self.edges.count)])
    return true
  }
}

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
