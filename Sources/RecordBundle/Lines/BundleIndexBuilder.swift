/// Collects the sections of a file's index while lines are written or checked.
struct BundleIndexBuilder {
  private var sections: [BundleSection] = []
  /// The names of the first lines of frames, by frame number.
  private var firstNames: [Int: String] = [:]
  /// The lines that were not yet added to the last section.
  private var tally = Tally()

  private struct Tally {
    var lines = 0
    var bytes = 0
    var assets = 0
    var frame = 0
  }

  var sectionCount: Int { sections.count }

  /// Adds the next line.
  ///
  /// - Parameters:
  ///   - name: the name by which the line is ordered; nil for zones and zone tombstones.
  ///   - size: the size of the line in bytes, including its line feed.
  ///   - beginsAsset: whether the line is the first chunk of an asset.
  ///   - frame: the number of the line's frame.
  ///   - isSameKey: whether the key is known to be that of the last line.
  @inline(__always)
  mutating func add(
    _ key: @autoclosure () -> LineKey, name: @autoclosure () -> String?, size: Int,
    beginsAsset: Bool, frame: Int, isSameKey: Bool = false
  ) {
    if frame != tally.frame || sections.isEmpty
      || !(isSameKey || sections[sections.count - 1].contains(key()))
    {
      if frame != tally.frame { firstNames[frame] = name() }
      begin(key(), in: frame)
    }
    tally.lines &+= 1
    tally.bytes &+= size
    if beginsAsset { tally.assets &+= 1 }
  }

  /// Continues in another section or frame.
  private mutating func begin(_ key: LineKey, in frame: Int) {
    settle()
    tally.frame = frame
    if let last = sections.last, last.contains(key) {
      sections[sections.count - 1].frames = last.frames.lowerBound...frame
    } else {
      var section = BundleSection(key, frames: frame...frame)
      if key.kind == .zone || key.kind == .zoneTombstone { section.zoneID = nil }
      sections.append(section)
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

  /// Returns the index of a file after all lines were added.
  ///
  /// - Parameters:
  ///   - frames: all frames, including the header's.
  ///   - header: the contribution of the header to the content hash.
  mutating func index(
    frames: [FrameInfo], header: ContentHash, isLastShard: Bool?
  ) -> BundleIndex {
    settle()
    return BundleIndex(
      frames: frames, firstNames: firstNames, header: header, sections: sections,
      isLastShard: isLastShard)
  }
}
