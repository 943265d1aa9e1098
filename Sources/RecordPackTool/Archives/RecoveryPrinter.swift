import RecordBundle
import RecordCoding
import RecordText

/// The output of `recover`.
struct RecoveryPrinter {
  let saved: String
  let unverified: String?

  /// The number of items of each kind to list in text.
  private static let maxListed = 20

  func text(_ recovered: RecoveryReport) -> [String] {
    let records = recovered.saved[.record] ?? 0
    var lines = [
      "Saved \(Numbers.count(records, "record")) from \(Numbers.count(recovered.frames, "frame")) "
        + "to \(saved.visible)"
    ]
    lines += listed(recovered.damage, count: recovered.damageCount, "damaged places") {
      "damaged: bytes \(Numbers.grouped($0.start)) to \(Numbers.grouped($0.end)) of "
        + "\($0.source.visible): \($0.reason.visible)"
    }
    lines += listed(recovered.notes, "notes") { "note: \($0.visible)" }
    if recovered.isComplete { return lines + ["Nothing was lost"] }
    if recovered.lostLines > 0 {
      lines.append("Lost: \(Numbers.count(recovered.lostLines, "line"))")
    }
    lines += listed(recovered.lostFrames, "frames") {
      "lost: frame \($0.frame), \(Numbers.count($0.lines, "line")): \($0.content.visible)"
    }
    lines += listed(recovered.losses, "losses") { "lost: \($0.visible)" }
    if recovered.restoredZones > 0 {
      let zones = Numbers.count(recovered.restoredZones, "zone")
      lines.append("  lost: the description of \(zones); recreated from the records")
    }
    lines += listed(recovered.missingAssets, "assets") {
      "lost: bytes of asset \($0.visible), which a record refers to"
    }
    if recovered.leftOutCount > 0 {
      lines.append("Left out: \(Numbers.count(recovered.leftOutCount, "line"))")
    }
    lines += listed(recovered.leftOut, "reasons") { "left out: \($0.visible)" }
    lines += listed(recovered.unknowns, "unknowns") { "unknown: \($0.visible)" }
    if let unverified {
      lines.append(
        "Unverified: \(Numbers.count(recovered.unverifiedLines, "line")) in " + unverified.visible)
    }
    return lines
  }

  private func listed<T>(
    _ things: [T], count: Int? = nil, _ what: String, _ text: (T) -> String
  ) -> [String] {
    let lines = things.prefix(Self.maxListed).map { "  " + text($0) }
    let hidden = (count ?? things.count) - lines.count
    return hidden > 0 ? lines + ["  … and \(Numbers.grouped(hidden)) more \(what)"] : lines
  }

  func json(_ recovered: RecoveryReport) -> JSONValue {
    let kinds = LineKind.allCases.compactMap { kind in
      recovered.saved[kind].map { JSONValue.Member(kind.rawValue, .integer($0)) }
    }
    func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    return ReportOptions.document(
      "recover",
      [
        .init("complete", .bool(recovered.isComplete)), .init("files", strings(recovered.sources)),
        .init("frames", .integer(recovered.frames)), .init("saved", .object(kinds)),
        .init("damageCount", .integer(recovered.damageCount)),
        .init("damagedBytes", .integer(recovered.damagedBytes)),
        .init("damage", .array(recovered.damage.map(Self.json))),
        .init("lostLines", .integer(recovered.lostLines)),
        .init("lostFrames", .array(recovered.lostFrames.map(Self.json))),
        .init("losses", strings(recovered.losses)),
        .init("unknowns", strings(recovered.unknowns)), .init("notes", strings(recovered.notes)),
        .init("restoredZones", .integer(recovered.restoredZones)),
        .init("missingAssets", strings(recovered.missingAssets)),
        .init("leftOutCount", .integer(recovered.leftOutCount)),
        .init("leftOut", strings(recovered.leftOut)),
      ]
        + (unverified == nil
          ? [] : [.init("unverifiedLines", .integer(recovered.unverifiedLines))]))
  }

  private static func json(_ damage: RecoveryReport.Damage) -> JSONValue {
    .object([
      .init("file", .string(damage.source)), .init("start", .integer(damage.start)),
      .init("end", .integer(damage.end)), .init("reason", .string(damage.reason)),
    ])
  }

  private static func json(_ frame: RecoveryReport.LostFrame) -> JSONValue {
    .object([
      .init("file", .string(frame.source)), .init("frame", .integer(frame.frame)),
      .init("lines", .integer(frame.lines)), .init("content", .string(frame.content)),
    ])
  }
}
