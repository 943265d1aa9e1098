import RecordPlatform

/// The numbers and hashes of the lines found in a file, to compare them with its index.
struct LineCounts {
  private(set) var lines = 0
  private var bytes = 0
  private var header = ContentHash()
  private var zones = ContentHash()
  private var others = ContentHash()

  /// Adds a line without its line feed.
  mutating func add(_ line: UnsafeRawBufferPointer, _ kind: LineKind?) {
    lines += 1
    bytes += line.count + 1
    switch kind {
    case .header: header = header + ((try? BundleHeader.contentHash(of: line)) ?? ContentHash())
    case .zone: zones.add(line)
    default: others.add(line)
    }
  }

  /// Whether the lines are those that an index describes.
  ///
  /// - Parameter isFirst: whether the file is the first or only one of a bundle.
  func matches(_ index: BundleIndex, isFirst: Bool) -> Bool {
    let hash = header + others + (isFirst ? zones : ContentHash())
    return lines == index.lines && bytes == index.bytes && hash == index.hash
  }
}
