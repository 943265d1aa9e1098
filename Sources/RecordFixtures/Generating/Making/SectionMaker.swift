import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// Makes the records of a section, one after the other, as canonical JSON. Each thread has its own.
final class SectionMaker: PartMaker {
  private let section: Section
  private let cursor: TreeCursor
  private let context = RecordContext()
  private let fields: [FieldMaker]
  private let finisher: RecordFinisher
  /// The record up to the opening quote of its name, and what the stamps have of each user.
  private let opening: [UInt8]
  private let users: [[UInt8]]
  private let hasEdgeCases: Bool

  /// The parts of a field's plan that each record needs; a copy of the plan would retain ten objects.
  private struct FieldMaker {
    let key: UInt64
    let nullRate: Double
    let opening: [UInt8]
    let generator: ValueGenerator
  }

  /// One value of so many is at the edge, where this is wanted.
  private static let edgePart = 8

  init(_ section: Section, _ layout: GenerationLayout, _ use: AssetUse) {
    self.section = section
    let cursor = TreeCursor(section)
    self.cursor = cursor
    fields = section.type.fields.compactMap { field in
      let scope = GeneratorScope(
        field: field, section: section, cursor: cursor, layout: layout, use: use)
      guard let generator = field.kind.generator(scope) else { return nil }
      return FieldMaker(
        key: field.key, nullRate: field.rule.nullRate, opening: field.opening,
        generator: field.rule.length.map(generator.list) ?? generator)
    }
    finisher = RecordFinisher(section.type, layout.schema, section.site.database)
    hasEdgeCases = layout.recipe.hasEdgeCases
    let buffer = ByteBuffer(capacity: 256)
    buffer.append("{\"zoneID\":")
    buffer.appendZoneID(section.site.zoneID)
    buffer.append(",\"recordType\":")
    buffer.appendJSONString(section.type.name)
    buffer.append(",\"recordName\":\"")
    opening = Array(buffer.bytes)
    users = layout.users.map { Array(",\"userRecordName\":\"\($0.userRecordName)\"}".utf8) }
  }

  func append(_ batch: RecordBatchPlan, to buffer: ByteBuffer) throws -> [RecordPlace] {
    var places: [RecordPlace] = []
    places.reserveCapacity(batch.range.count)
    for index in batch.range {
      if index == batch.range.lowerBound { cursor.seek(index) } else { cursor.advance() }
      places.append(try appendRecord(to: buffer))
    }
    return places
  }

  private func appendRecord(to buffer: ByteBuffer) throws -> RecordPlace {
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
    var left = appendFields(spot, to: buffer)
    buffer.append("}}")
    left += try finisher.finish(from: start, in: buffer)
    return RecordPlace(name: name, start: start, end: buffer.count, leftOut: left)
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
      section.shareNames.append(spot.index, seed: spot.seed, to: buffer)
      buffer.append("\",\"action\":\"NONE\"}")
    }
  }

  /// The size of a record's JSON after which it gets no more values, so that memory is bounded.
  private static let largest = 2 * ValueGenerator.largest

  /// - Returns: The number of values that were left out.
  private func appendFields(_ spot: RecordSpot, to buffer: ByteBuffer) -> Int {
    let start = buffer.count
    var left = 0
    for field in fields {
      context.random = SeededNumbers(seed: spot.seed ^ field.key)
      if field.nullRate > 0, context.random.chance(field.nullRate) { continue }
      let end = buffer.count
      if end > start { buffer.append(UInt8(ascii: ",")) }
      buffer.append(field.opening)
      let isEdge = hasEdgeCases && context.random.below(Self.edgePart) == 0
      if isEdge && field.generator.edge(context, buffer)
        || field.generator.append(context, buffer)
      {
        buffer.append(UInt8(ascii: "}"))
        guard buffer.count - start > Self.largest else { continue }
        left += 1
      }
      buffer.count = end
    }
    return left
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

/// Makes batches of records on one thread.
///
/// `Sendable` is unchecked: a pool gives a maker to one thread at a time.
final class RecordMaker: @unchecked Sendable {
  private let layout: GenerationLayout
  private let use: AssetUse
  private let buffers: ResourcePool<ByteBuffer>
  /// The maker of the part that was asked for last; the next batch is often of the same part.
  private var last: (part: Int, maker: any PartMaker)?

  init(_ layout: GenerationLayout, _ buffers: ResourcePool<ByteBuffer>) {
    self.layout = layout
    self.buffers = buffers
    use = AssetUse(count: layout.assets.count)
  }

  func make(_ batch: RecordBatchPlan) throws -> MadeBatch {
    let buffer = try buffers.take()
    buffer.reset(keeping: 8 << 20)
    if last?.part != batch.part {
      last = (batch.part, layout.parts[batch.part].maker(layout, use))
    }
    let places = try last?.maker.append(batch, to: buffer) ?? []
    return MadeBatch(part: batch.part, buffer: buffer, places: places, assets: use.takeFresh())
  }
}

/// Makes the records of shares.
final class ShareMaker: PartMaker {
  private let shares: ShareSection
  private let layout: GenerationLayout
  private let cursors: [TreeCursor]
  private let writer = RecordJSONWriter()

  private var users: [ContainerAccount] { layout.users }

  init(_ shares: ShareSection, _ layout: GenerationLayout) {
    self.shares = shares
    self.layout = layout
    cursors = shares.sections.map(TreeCursor.init)
  }

  func append(_ batch: RecordBatchPlan, to buffer: ByteBuffer) throws -> [RecordPlace] {
    shares.sections.isEmpty
      ? try appendZoneShare(to: buffer)
      : try append(sectionAt: batch.section, batch.range, to: buffer)
  }

  /// Appends the share of the zone.
  private func appendZoneShare(to buffer: ByteBuffer) throws -> [RecordPlace] {
    guard let owner = shares.site.owner else { return [] }
    let spot = ShareSpot(
      participants: users.count - 1, first: (owner + 1) % users.count)
    let created = layout.recipe.referenceMilliseconds
    return [
      try append(
        Share.zoneWideRecordName, spot, owner, created, shares.changes[0] + 1, title: nil,
        to: buffer)
    ]
  }

  /// Appends the shares of the records of one section.
  private func append(
    sectionAt place: Int, _ range: Range<Int>, to buffer: ByteBuffer
  ) throws -> [RecordPlace] {
    let cursor = cursors[place]
    let section = shares.sections[place]
    let name = ByteBuffer(capacity: 256)
    var places: [RecordPlace] = []
    for index in range {
      if index == range.lowerBound { cursor.seek(index) } else { cursor.advance() }
      guard let share = cursor.spot.share, let owner = section.site.owner else { continue }
      name.reset()
      section.shareNames.append(index, seed: cursor.spot.seed, to: name)
      places.append(
        try append(
          String(decoding: name.bytes, as: UTF8.self), share, owner, cursor.spot.created,
          shares.changes[place] + index + 1, title: "\(section.type.name) \(index + 1)", to: buffer)
      )
    }
    return places
  }

  private func append(
    _ name: String, _ share: ShareSpot, _ owner: Int, _ created: Int, _ change: Int,
    title: String?, to buffer: ByteBuffer
  ) throws -> RecordPlace {
    let nameStart = buffer.count
    buffer.append(text: name)
    let start = buffer.count
    let date = CanonicalDate.date(wholeMilliseconds: Int64(created))
    let stamp = RecordStamp(date: date, userRecordName: users[owner].userRecordName)
    var draft = DraftRecord(
      recordType: Share.recordType,
      recordID: RecordID(recordName: name, zoneID: shares.site.zoneID))
    draft.shareInfo = Share(
      publicPermission: .none, participants: participants(share, owner), shortGUID: nil)
    var system = draft.systemFields
    system.recordChangeTag = String(change, radix: 36)
    system.created = stamp
    system.modified = stamp
    let fields = title.map { [Field(name: Share.titleKey, value: .string($0))] } ?? []
    try writer.write(ResultRecord(systemFields: system, fields: fields), to: buffer)
    return RecordPlace(name: nameStart..<start, start: start, end: buffer.count)
  }

  private func participants(_ share: ShareSpot, _ owner: Int) -> [ShareParticipant] {
    var list = [
      ShareParticipant(
        role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
        userIdentity: users[owner].identity)
    ]
    var user = share.first
    while list.count <= share.participants {
      if user != owner {
        // The first one has accepted, and may write; every third is still invited.
        let isPending = list.count % 3 == 2
        list.append(
          ShareParticipant(
            role: .privateUser, permission: list.count == 1 ? .readWrite : .readOnly,
            acceptanceStatus: isPending ? .pending : .accepted,
            userIdentity: users[user].identity))
      }
      user = (user + 1) % users.count
    }
    return list
  }
}

/// Records that are made together: some of one part of a layout.
struct RecordBatchPlan: Sendable {
  let part: Int
  /// The section, among those whose records have shares.
  let section: Int
  let range: Range<Int>
}

/// The place of a record in a buffer.
struct RecordPlace: Sendable {
  let name: Range<Int>
  let start: Int
  let end: Int
  /// The number of values that were left out, because the record would be too large.
  var leftOut = 0
}

/// Records that were made.
struct MadeBatch: Sendable {
  let part: Int
  let buffer: ByteBuffer
  let places: [RecordPlace]
  /// The numbers of the files that they use, as far as their thread used them for the first time.
  let assets: [Int]
}
