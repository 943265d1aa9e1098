import Foundation
import RecordArchive
import RecordModel
import RecordText

/// A report on a bundle or container in numbers, to send to others. It has no value of a field.
package struct ArchiveReport {
  package let profile: ArchiveProfile
  /// Whether the names of zones, users and records are shown, and the name of the file.
  package let showsNames: Bool
  /// A diagram of the schema; nil for none.
  package var diagram: HTML?

  let names: ReportNames

  /// - Parameters:
  ///   - profile: The counts.
  ///   - showsNames: Whether the names of zones, users and records are shown, and the name of the
  ///     file: they may be personal.
  ///   - diagram: A diagram of the schema; nil for none.
  package init(_ profile: ArchiveProfile, showsNames: Bool = false, diagram: HTML? = nil) {
    self.profile = profile
    self.showsNames = showsNames
    self.diagram = diagram
    names = ReportNames(profile, areShown: showsNames)
  }

  /// The name of the container.
  var title: String { profile.info.identifier ?? "A CloudKit container" }

  /// The name of the file, without its folder.
  var fileName: String? {
    showsNames ? profile.name.split(separator: "/").last.map(String.init) : nil
  }

  /// The report as a page that is complete in itself: the same for the same source.
  package var page: PageDocument {
    let sections = sections.filter { !$0.content.isEmpty }
    let links: [HTML] = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" }
    let parts: [HTML] = sections.map { section in
      """
      <section id="\(section.id)">
      <h2>\(section.title)</h2>
      \(section.content)
      </section>
      """
    }
    return PageDocument(
      title: "\(title): report",
      header: "<div class=\"report\"><nav aria-label=\"Sections\"><ul>\(links)</ul></nav></div>",
      content: """
        <div class="report">
        <h1>\(title)</h1>
        \(overview)
        \(parts)
        <footer class="quiet"><p>\(disclosure)</p></footer>
        </div>
        """)
  }

  private struct Section {
    var id: HTML
    var title: String
    var content: HTML
  }

  private var sections: [Section] {
    [
      Section(id: "sizes", title: "Sizes", content: sizes),
      Section(id: "time", title: "Over time", content: times),
      Section(id: "contents", title: "Databases, zones, types", content: contents),
      Section(id: "fields", title: "Fields", content: fields),
      Section(id: "largest", title: "Largest records", content: largest),
      Section(id: "assets", title: "Assets", content: assets),
      Section(id: "sharing", title: "Sharing", content: sharing),
      Section(id: "subscriptions", title: "Subscriptions", content: subscriptions),
      Section(id: "deletions", title: "Deletions", content: deletions),
      Section(id: "users", title: "Users", content: users),
      Section(id: "schema", title: "Schema", content: schema),
    ]
  }

  /// The sentences about the data in the report.
  private var disclosure: String {
    let named =
      showsNames
      ? "It has the names of zones, users and records, and the name of the file; without --show-names, "
        + "it has numbers instead."
      : "Zones, users and records have numbers in place of their names, which may be personal; "
        + "with --show-names, it has the names."
    return "Made by recordpack report. No value of a field is in this report: only names of record "
      + "types, entities and fields, the schema, and counts. \(named) Times are UTC."
  }

  /// Rows that a table shows before it says how many there are more.
  static let maxRows = 200
}

extension ArchiveReport {
  /// The facts, and the numbers that matter most.
  var overview: HTML {
    """
    <p class="badges">\(badges)</p>
    \(HTML.figures(figures))
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

  private var figures: [(value: HTML, words: String)] {
    func figure(_ number: String, _ noun: String) -> (HTML, String) { ("\(number)", noun) }
    func count(_ count: Int, _ noun: String, _ prefix: String = "") -> (HTML, String) {
      figure(prefix + Numbers.grouped(count), count == 1 ? noun : noun + "s")
    }
    var figures = [
      count(profile.records, "record"), figure(Numbers.size(profile.recordBytes), "of records"),
      count(profile.types.count, "type"), count(names.zoneCount, "zone"),
    ]
    let (assets, users) = (profile.assets, profile.users)
    if assets.stored > 0 || assets.references > 0 {
      figures.append(
        figure(Numbers.size(assets.storedBytes), "in \(Numbers.count(assets.stored, "asset"))"))
    }
    if users.count > 0 { figures.append(count(users.count, "user", users.hasMore ? "> " : "")) }
    if profile.shares.count > 0 { figures.append(count(profile.shares.count, "share")) }
    return figures
  }

  private var facts: HTML {
    var facts = HTMLFacts()
    facts.add("Newest change", newest.map { Self.wholeSeconds($0).inWords })
    facts.add("File", fileSize)
    facts.add("Format", profile.formatVersion.map { "bundle format \($0)" })
    facts.add("Schema version", profile.info.schemaVersion)
    if showsNames { facts.add("Signed-in user", profile.info.currentUserRecordName) }
    let accounts = profile.info.accounts.count
    facts.add("Accounts", accounts > 0 ? Numbers.grouped(accounts) : nil)
    return facts.html
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

/// The names in a report: those of zones, users and records may be personal, and are numbers unless
/// they are asked for.
struct ReportNames {
  let areShown: Bool
  private var numbers: [ZoneLocation: Int] = [:]

  init(_ profile: ArchiveProfile, areShown: Bool) {
    self.areShown = areShown
    for zone in profile.zones + profile.sections.map({ ZoneLocation($0.database, $0.zoneID) })
    where numbers[zone] == nil {
      numbers[zone] = numbers.count + 1
    }
  }

  /// The number of zones.
  var zoneCount: Int { numbers.count }

  /// The number of a zone in the report, from 1 on.
  func number(of database: DatabaseScope, _ zoneID: ZoneID) -> Int {
    numbers[ZoneLocation(database, zoneID)] ?? 0
  }

  /// The zone's name; `zone 3` for one whose name is not shown.
  func zone(_ database: DatabaseScope, _ zoneID: ZoneID) -> String {
    areShown || Self.isPublic(zoneID) ? "\(zoneID)" : "zone \(number(of: database, zoneID))"
  }

  /// Whether CloudKit has named a zone, and it is the signed-in user's.
  static func isPublic(_ zoneID: ZoneID) -> Bool {
    let names = [ZoneID.defaultZoneName, CoreDataNames.zoneName]
    return names.contains { $0.sameScalars(as: zoneID.zoneName) }
      && zoneID.ownerName.sameScalars(as: ZoneID.currentUserOwnerName)
  }

  func user(_ name: String, number: Int) -> String { areShown ? name : "user \(number)" }

  func record(_ recordID: RecordID, number: Int) -> String {
    areShown ? recordID.recordName : "record \(number)"
  }
}
