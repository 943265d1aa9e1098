import RecordCoding
import RecordModel
import RecordPlatform

/// Makes the records of a section, one after the other, as canonical JSON. Each thread has its own.
final class SectionMaker {
  /// A field and what makes its values.
  private struct Field {
    let opening: [UInt8]
    let key: UInt64
    let nullRate: Double
    let generator: FieldGenerator
  }

  let section: Section
  private let cursor: TreeCursor
  private let context = RecordContext()
  private let fields: [Field]
  private let calculation: FieldCalculation?
  private let layout: GenerationLayout
  /// The record up to the opening quote of its name, and what the stamps have of each user.
  private let opening: [UInt8]
  private let users: [[UInt8]]
  private let hasEdgeCases: Bool

  /// One value of so many is at the edge, where this is wanted.
  private static let edgePart = 8

  init(_ section: Section, _ layout: GenerationLayout, _ use: AssetUse) {
    self.section = section
    self.layout = layout
    let cursor = TreeCursor(section)
    self.cursor = cursor
    let factory = GeneratorFactory(section: section, cursor: cursor, layout: layout, use: use)
    fields = section.type.fields.compactMap { field in
      factory.generator(field).map {
        Field(
          opening: field.opening, key: field.key, nullRate: field.rule.nullRate, generator: $0)
      }
    }
    calculation = FieldCalculation(section.type, layout.schema, section.site.database)
    hasEdgeCases = layout.recipe.hasEdgeCases
    let buffer = ByteBuffer(capacity: 256)
    buffer.append("{\"zoneID\":")
    buffer.appendZoneID(section.site.zoneID)
    buffer.append(",\"recordType\":")
    buffer.appendJSONString(section.type.name)
    buffer.append(",\"recordName\":\"")
    opening = Array(buffer.bytes)
    users = layout.users.map { Array(",\"userRecordName\":\"\($0.recordName)\"}".utf8) }
  }

  func seek(_ index: Int) { cursor.seek(index) }
  func advance() { cursor.advance() }

  /// The record that is made next.
  var spot: RecordSpot { cursor.spot }

  /// Appends a record.
  ///
  /// - Returns: The range of its name in the buffer.
  func append(to buffer: ByteBuffer) throws -> Range<Int> {
    let start = buffer.count
    let spot = cursor.spot
    buffer.append(opening)
    let nameStart = buffer.count
    section.names.append(spot.index, seed: spot.seed, to: buffer)
    let name = nameStart..<buffer.count
    appendSystemFields(spot, to: buffer)
    context.spot = spot
    context.number = section.firstNumber &+ spot.index
    buffer.append(",\"fields\":{")
    appendFields(spot, to: buffer)
    buffer.append("}}")
    if let calculation { try calculation.complete(from: start, in: buffer) }
    return name
  }

  private func appendSystemFields(_ spot: RecordSpot, to buffer: ByteBuffer) {
    var random = SeededNumbers(seed: spot.seed ^ 0x7374_616D_70)
    context.modified = spot.created
    if random.chance(section.type.rule.modifiedRate) {
      // Up to a day later.
      context.modified = spot.created &+ 1000 &+ random.below(86_400_000)
    }
    buffer.append("\",\"recordChangeTag\":\"")
    buffer.appendBase36(section.changes &+ spot.index &+ 1)
    buffer.append("\",\"created\":{\"timestamp\":")
    buffer.appendInteger(Int64(spot.created))
    buffer.append(users[spot.creator])
    buffer.append(",\"modified\":{\"timestamp\":")
    buffer.appendInteger(Int64(context.modified))
    buffer.append(users[spot.creator])
    if section.hasParents, let parent = cursor.parent {
      buffer.append(",\"parent\":")
      buffer.append(referenceTo: parent, .none)
    }
    if section.sharedRate > 0, spot.share != nil {
      buffer.append(",\"share\":{\"recordName\":\"")
      ShareMaker.appendName(of: spot.index, in: section, to: buffer)
      buffer.append("\",\"action\":\"NONE\"}")
    }
  }

  private func appendFields(_ spot: RecordSpot, to buffer: ByteBuffer) {
    let start = buffer.count
    for field in fields {
      context.random = SeededNumbers(seed: spot.seed ^ field.key)
      if field.nullRate > 0, context.random.chance(field.nullRate) { continue }
      let end = buffer.count
      if end > start { buffer.append(UInt8(ascii: ",")) }
      buffer.append(field.opening)
      if hasEdgeCases, context.random.below(Self.edgePart) == 0,
        field.generator.appendEdge(context, to: buffer)
      {
        buffer.append(UInt8(ascii: "}"))
      } else if field.generator.append(context, to: buffer) {
        buffer.append(UInt8(ascii: "}"))
      } else {
        buffer.count = end
      }
    }
  }
}

extension ByteBuffer {
  /// Appends a positive number in base 36, as change tags are.
  func appendBase36(_ number: Int) {
    reserve(16)
    var rest = number
    var count = 1
    while rest >= 36 {
      rest /= 36
      count += 1
    }
    rest = number
    let end = self.count &+ count
    for place in 1...count {
      let digit = UInt8(truncatingIfNeeded: rest % 36)
      base.storeBytes(
        of: digit < 10 ? 0x30 &+ digit : 0x57 &+ digit, toByteOffset: end &- place, as: UInt8.self)
      rest /= 36
    }
    self.count = end
  }
}
