extension RecoverySource {
  /// The frames that the index lists but that were not found.
  var lostFrames: [RecoveryReport.LostFrame] {
    guard let index, !isCompressedAgain else { return [] }
    let found = Set(frames.map(\.digest))
    return index.frames.enumerated().filter { !found.contains($0.element.digest) }.map {
      RecoveryReport.LostFrame(
        source: name, frame: $0.offset, lines: $0.element.lines,
        content: index.description(ofFrame: $0.offset))
    }
  }
}

extension RecoveryReport {
  /// Adds the results of the first pass through a file.
  mutating func add(_ source: RecoverySource) {
    let scan = source.scan.report
    sources.append(source.name)
    frames += scan.frames
    damage += scan.damage
    damageCount += scan.damageCount
    damagedBytes += scan.damagedBytes
    source.lostFrames.forEach { lose($0) }
    for frame in source.unlistedFrames {
      leaveOut(
        "the frame at byte \(frame.offset) of '\(source.name)', "
          + "\(frame.lines) \(frame.lines == 1 ? "line" : "lines"): the index does not list it",
        lines: frame.lines)
    }
    if source.isCompressedAgain { addCompressedAgain(source) }
    if source.scan.isCutShort {
      losses.append(
        "everything after the first \(FrameLimits.standard.maxFrames) frames of '\(source.name)'; "
          + "the format allows no more")
    }
    addMissing(source)
  }

  private mutating func addMissing(_ source: RecoverySource) {
    if source.index == nil {
      unknowns.append(
        "the index of '\(source.name)' is lost: the contents of its damaged parts, and whether "
          + "anything followed its last intact frame, are unknown")
    }
    if source.header == nil, source.index == nil || source.isCompressedAgain {
      losses.append("the header of '\(source.name)', with the schema")
    }
  }

  private mutating func addCompressedAgain(_ source: RecoverySource) {
    let fact = "another program compressed '\(source.name)' again"
    if source.hasAllLines {
      notes.append("\(fact); its lines match the index")
    } else {
      lostLines += max(0, (source.index?.lines ?? 0) - source.scan.counts.lines)
      unknowns.append(
        "\(fact), and not all its lines match the index: which were lost or "
          + "changed is unknown")
    }
  }
}

extension BundleIndex {
  /// Returns a description of the lines of a frame, as far as the index tells.
  fileprivate func description(ofFrame number: Int) -> String {
    guard number > 0 else { return "the header, with the schema" }
    let parts = sections.filter { $0.frames.contains(number) }.map { $0.key.description() }
    let hidden = parts.count > 4 ? ["\(parts.count - 3) other sections"] : []
    var text = (hidden.isEmpty ? parts : Array(parts.prefix(3)) + hidden).joined(separator: ", ")
    if let first = frames[number].first { text += "; from '\(first)'" }
    if number + 1 < frames.count, let next = frames[number + 1].first {
      text += " to before '\(next)'"
    }
    return text
  }
}
