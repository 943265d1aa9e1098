import RecordArchive
import RecordCoding
import RecordModel

/// Anonymises the items of a source on one thread.
final class AnonymisationWorker: TransformWorker {
  let tally: AnonymisationTally
  private let rewriting: TallyRewriting
  private let rewriter: RecordRewriter
  // What was counted since it was added to the tally.
  @exclusivity(unchecked) private var records = 0
  @exclusivity(unchecked) private var linesWithEmails = 0

  private var anonymiser: Anonymiser { tally.anonymiser }

  init(_ anonymiser: Anonymiser) {
    tally = AnonymisationTally(anonymiser)
    rewriting = TallyRewriting(tally)
    rewriter = RecordRewriter(rewriting)
  }

  var assets: [String: String] {
    get { tally.assets }
    set { tally.assets = newValue }
  }

  func info(_ info: ContainerInfo) throws -> ContainerInfo { try anonymiser.info(info, tally) }

  func zoneID(_ zoneID: ZoneID) -> ZoneID { tally.zones.pseudonym(of: zoneID) }

  func zone(_ zone: RecordZone) throws -> RecordZone { anonymiser.zone(zone, tally) }

  func subscription(_ subscription: CloudSubscription) throws -> CloudSubscription {
    try anonymiser.subscription(subscription, tally)
  }

  func tombstone(_ tombstone: DeletedRecord) throws -> DeletedRecord {
    anonymiser.tombstone(tombstone, tally)
  }

  func zoneTombstone(_ tombstone: DeletedZone) throws -> DeletedZone {
    anonymiser.zoneTombstone(tombstone, tally)
  }

  func rewrite(
    _ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader, to buffer: ByteBuffer
  ) throws -> RewrittenRecord? {
    let record = try reader.rewrite(line, by: rewriter, to: buffer)
    if record != nil { records += 1 }
    return record
  }

  func inspect(_ line: UnsafeRawBufferPointer) {
    if EmailAddress.isIn(line) { linesWithEmails += 1 }
  }

  func record(_ record: ResultRecord) throws -> ResultRecord { try tally.anonymise(record) }

  /// Adds what was counted to the tally.
  func addUp() {
    rewriting.addUp()
    tally.records += records
    tally.linesWithEmails += linesWithEmails
    (records, linesWithEmails) = (0, 0)
  }
}
