import RecordModel

extension EditableRecord {
  /// What is known of a record without reading its values.
  package struct Outline: Equatable {
    private let envelope: ObjectIdentifier
    private let shape: ObjectIdentifier
    private let database: DatabaseScope
    private let hasParent: Bool
    private let hasShare: Bool

    init?(_ source: RecordSource, _ database: DatabaseScope) {
      // The outline does not describe JSON members that the model has no property for.
      guard !source.layout.hasFieldMembers else { return nil }
      envelope = ObjectIdentifier(source.envelope)
      shape = ObjectIdentifier(source.shape)
      self.database = database
      hasParent = !source.layout.parent.isEmpty
      hasShare = !source.layout.share.isEmpty
    }
  }

  /// The outline of the record as it was loaded; nil if it was loaded from values. See
  /// ``outlineObjects``.
  package var outline: Outline? { source.flatMap { Outline($0, database) } }

  /// The objects whose identities the outline contains. Retain them with the outline, so that no
  /// other objects can have the same identities.
  package var outlineObjects: [AnyObject] { source.map { [$0.envelope, $0.shape] } ?? [] }

  /// The shape of the record as it was loaded, the same object for records with the same fields;
  /// nil if it was loaded from values.
  package var sourceShape: RecordShape? { source?.shape }

  /// The dictionary of the record as it was loaded, without its first brace; nil if it was loaded
  /// from values.
  package var sourceBytes: UnsafeRawBufferPointer? {
    source.map { $0.read(0..<$0.size, by: self) }
  }

  /// An object that the records of one zone and type share as they are read by one reader; nil if
  /// the record was loaded from values.
  package var sourceEnvelope: RecordEnvelope? { source?.envelope }

  /// The zone and type of the record as it was loaded.
  package var sourceZoneID: ZoneID {
    source?.envelope.zoneID ?? system?.recordID.zoneID ?? .default
  }
  package var sourceType: String { source?.envelope.recordType ?? system?.recordType ?? "" }

  /// The identity of the record as it was loaded.
  package var sourceID: RecordID {
    guard let source else { return system?.recordID ?? recordID }
    return RecordID(packedName: name(in: source), zoneID: source.envelope.zoneID)
  }

  func name(in source: RecordSource) -> CompactName {
    CanonicalDecoder.packedName(source.read(source.layout.recordName, by: self))
  }

  /// Returns a decoder of a part of the source.
  func decoder(of range: Range<Int>, in source: RecordSource) -> CanonicalDecoder {
    CanonicalDecoder(source.read(range, by: self), zoneID: source.envelope.zoneID)
  }
}
