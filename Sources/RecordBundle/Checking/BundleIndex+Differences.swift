import RecordCoding
import RecordModel

extension BundleIndex {
  /// Returns the differences of this index, which was read, from the one that its lines result in;
  /// at most one for each kind of entry but the frames.
  func differences(from made: BundleIndex) -> [String] {
    var found: [String] = []
    if hash != made.hash {
      found.append(
        "the lines have the content hash \(made.contentHash), and the index says \(contentHash)")
    }
    for (number, (listed, counted)) in zip(frames, made.frames).enumerated() {
      if listed.lines != counted.lines {
        found.append(
          "frame \(number) has \(counted.lines) lines, and the index says \(listed.lines)")
      } else if !(listed.first ?? "").sameScalars(as: counted.first ?? "") {
        found.append("frame \(number) begins with another line than the index says")
      }
    }
    if sections.count != made.sections.count {
      found.append(
        "the index lists \(sections.count) sections, and the lines make \(made.sections.count)")
    }
    for (number, (listed, counted)) in zip(sections, made.sections).enumerated()
    where listed.jsonValue.compactText != counted.jsonValue.compactText {
      found.append(
        "section \(number) of the index is \(listed.jsonValue.compactText), and the lines make "
          + counted.jsonValue.compactText)
      break
    }
    return found
  }
}
