import RecordCoding
import RecordModel

extension BundleIndex {
  /// Returns the differences of this index, which was read, from the index of its lines;
  /// at most one for each kind of entry but the frames.
  func differences(from made: BundleIndex) -> [String] {
    var found: [String] = []
    if hash != made.hash {
      found.append(
        "the lines have the content hash \(made.contentHash), but the index has \(contentHash)")
    }
    for (number, (listed, counted)) in zip(frames, made.frames).enumerated() {
      if listed.lines != counted.lines {
        found.append(
          "frame \(number) has \(counted.lines) lines, but the index has \(listed.lines)")
      } else if !(listed.first ?? "").sameScalars(as: counted.first ?? "") {
        found.append("frame \(number) begins with another line than in the index")
      }
    }
    if sections.count != made.sections.count {
      found.append(
        "the index lists \(sections.count) sections, but the lines have \(made.sections.count)")
    }
    for (number, (listed, counted)) in zip(sections, made.sections).enumerated()
    where listed.jsonValue.compactText != counted.jsonValue.compactText {
      found.append(
        "section \(number) of the index is \(listed.jsonValue.compactText), "
          + "but that of the lines is \(counted.jsonValue.compactText)")
      break
    }
    return found
  }
}
