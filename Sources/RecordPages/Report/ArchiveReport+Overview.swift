import Foundation
import RecordArchive
import RecordModel
import RecordText

extension ArchiveReport {
  /// The facts, and the numbers that matter most.
  var overview: HTML {
    """
    <p class="badges">\(badges)</p>
    <ul class="figures">
    \(figures)
    </ul>
    \(facts)
    """
  }

  private var badges: [HTML] {
    var texts = [profile.kind.rawValue]
    if let environment = profile.info.environment { texts.append(environment.rawValue) }
    if !profile.isWhole { texts.append("a selection of records") }
    if let fileName { texts.append(fileName) }
    return texts.map { "<span class=\"badge\">\($0)</span>" }
  }

  private var figures: [HTML] {
    let zones = names.zoneCount
    var figures = [
      figure(Numbers.grouped(profile.records), profile.records == 1 ? "record" : "records"),
      figure(Numbers.size(profile.recordBytes), "of records"),
      figure(Numbers.grouped(profile.types.count), profile.types.count == 1 ? "type" : "types"),
      figure(Numbers.grouped(zones), zones == 1 ? "zone" : "zones"),
    ]
    let assets = profile.assets
    if assets.stored > 0 || assets.references > 0 {
      figures.append(
        figure(Numbers.size(assets.storedBytes), "in \(Numbers.count(assets.stored, "asset"))"))
    }
    let users = profile.users
    if users.count > 0 {
      figures.append(
        figure(
          (users.hasMore ? "> " : "") + Numbers.grouped(users.count),
          users.count == 1 ? "user" : "users"))
    }
    if profile.shares.count > 0 {
      figures.append(
        figure(
          Numbers.grouped(profile.shares.count), profile.shares.count == 1 ? "share" : "shares"))
    }
    return figures
  }

  private func figure(_ number: String, _ noun: String) -> HTML {
    "<li><strong>\(number)</strong> <span>\(noun)</span></li>"
  }

  private var facts: HTML {
    var facts: [HTML] = []
    func add(_ name: String, _ text: String?) {
      if let text { facts.append("<dt>\(name)</dt><dd>\(text)</dd>") }
    }
    add("Newest change", newest.map { Self.wholeSeconds($0).inWords })
    add("File", fileSize)
    if let version = profile.formatVersion { add("Format", "bundle format \(version)") }
    add("Schema version", profile.info.schemaVersion)
    if showsNames { add("Signed-in user", profile.info.currentUserRecordName) }
    let accounts = profile.info.accounts.count
    add("Accounts", accounts > 0 ? Numbers.grouped(accounts) : nil)
    return facts.isEmpty ? .empty : "<dl>\(facts)</dl>"
  }

  /// The time of the last change to a record, or of the last deletion.
  var newest: Date? {
    [profile.created.last, profile.modified.last, profile.tombstones.days.last].compactMap { $0 }
      .max()
  }

  private static func wholeSeconds(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }

  private var fileSize: String? {
    guard let bytes = profile.fileBytes else { return nil }
    guard let content = profile.contentBytes else { return Numbers.size(bytes) }
    return Numbers.compressed(bytes, from: content)
  }
}
