import RecordCoding
import RecordPlatform

/// Makes batches of records on one thread.
///
/// `Sendable` is unchecked: a pool gives a maker to one thread at a time.
final class RecordMaker: @unchecked Sendable {
  private let layout: GenerationLayout
  private let use: AssetUse
  private let buffers: ResourcePool<ByteBuffer>
  /// What makes the part that was asked for last; the next batch is often of the same part.
  private var section: SectionMaker?
  private var shares: (part: Int, maker: ShareMaker)?

  init(_ layout: GenerationLayout, _ buffers: ResourcePool<ByteBuffer>) {
    self.layout = layout
    self.buffers = buffers
    use = AssetUse(count: layout.assets.count)
  }

  func make(_ batch: RecordBatchPlan) throws -> MadeBatch {
    let buffer = try buffers.take()
    buffer.reset(keeping: 8 << 20)
    let places =
      switch layout.parts[batch.part] {
      case .records(let section): try records(of: section, batch.range, buffer)
      case .shares(let shares): try self.shares(shares, batch, buffer)
      }
    return MadeBatch(part: batch.part, buffer: buffer, places: places, assets: use.takeFresh())
  }

  private func records(
    of section: Section, _ range: Range<Int>, _ buffer: ByteBuffer
  ) throws -> [RecordPlace] {
    let maker: SectionMaker
    if let known = self.section, known.section === section {
      maker = known
    } else {
      maker = SectionMaker(section, layout, use)
      self.section = maker
    }
    var places: [RecordPlace] = []
    places.reserveCapacity(range.count)
    maker.seek(range.lowerBound)
    for index in range {
      if index > range.lowerBound { maker.advance() }
      let start = buffer.count
      let name = try maker.append(to: buffer)
      places.append(RecordPlace(nameRange: name, start: start, end: buffer.count))
    }
    return places
  }

  private func shares(
    _ shares: ShareSection, _ batch: RecordBatchPlan, _ buffer: ByteBuffer
  ) throws -> [RecordPlace] {
    let maker: ShareMaker
    if let known = self.shares, known.part == batch.part {
      maker = known.maker
    } else {
      maker = ShareMaker(shares, layout.users)
      self.shares = (batch.part, maker)
    }
    if shares.sections.isEmpty { return try maker.appendZoneShare(layout, to: buffer) }
    return try maker.append(sectionAt: batch.section, batch.range, to: buffer)
  }
}
