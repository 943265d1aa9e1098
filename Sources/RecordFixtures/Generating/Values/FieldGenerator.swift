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
