import RecordModel

/// Collects what the index says of the lines of a file, while they are written or checked.
struct BundleOutline {
  private var sections: [BundleSection] = []
  /// The names that frames begin with, by the frame's number.
  private var firstNames: [Int: String] = [:]
  /// What the last section has grown by since it was last updated.
  private var tally = Tally()

  private struct Tally {
    var lines = 0
    var bytes = 0
    var assets = 0
    var frame = 0
  }

  /// The number of sections so far.
  var sectionCount: Int { sections.count }

  /// Adds a line that comes after those before.
  ///
  /// - Parameters:
  ///   - name: what lines of the section are ordered by; nil for zones.
  ///   - size: bytes of the line, its line feed included.
  ///   - beginsAsset: whether it is the first piece of an asset.
  ///   - frame: the frame the line lies in.
  @inline(__always)
  mutating func add(
    _ key: BundleSection.Key, name: @autoclosure () -> String?, size: Int, beginsAsset: Bool,
    frame: Int
  ) {
    if frame != tally.frame || sections.isEmpty || !sections[sections.count - 1].takes(key) {
      if frame != tally.frame { firstNames[frame] = name() }
      begin(key, in: frame)
    }
    tally.lines &+= 1
    tally.bytes &+= size
    if beginsAsset { tally.assets &+= 1 }
  }

  /// Goes on in another section or frame.
  private mutating func begin(_ key: BundleSection.Key, in frame: Int) {
    settle()
    tally.frame = frame
    if let last = sections.last, last.takes(key) {
      sections[sections.count - 1].frames = last.frames.lowerBound...frame
    } else {
      sections.append(
        BundleSection(
          kind: key.kind, database: key.database, zoneID: key.zoneID, recordType: key.recordType,
          frame: frame))
    }
  }

  private mutating func settle() {
    guard !sections.isEmpty else { return }
    let last = sections.count - 1
    sections[last].lines += tally.lines
    sections[last].bytes += tally.bytes
    sections[last].assets += tally.assets
    tally = Tally()
  }

  /// The index of a file whose lines were all added.
  ///
  /// - Parameters:
  ///   - frames: all frames, the header's included.
  ///   - header: what the header adds to the content hash.
  mutating func index(
    frames: [FrameInfo], header: ContentHash, isLastShard: Bool?
  ) -> BundleIndex {
    settle()
    return BundleIndex(
      frames: frames, firstNames: firstNames, header: header, sections: sections,
      isLastShard: isLastShard)
  }
}
