import RecordArchive
import RecordModel
import RecordText

/// A report on a bundle or container, to send to others: what is in there, in numbers. It holds no
/// value of a field.
package struct ArchiveReport {
  package let profile: ArchiveProfile
  /// Whether the names of zones, users and records are shown, and the name of the file.
  package let showsNames: Bool
  /// A diagram of the schema; nil for none.
  package var diagram: HTML?

  let names: ReportNames

  /// - Parameters:
  ///   - profile: What was counted.
  ///   - showsNames: Whether the names of zones, users and records are shown, and the name of the
  ///     file: they may be personal.
  ///   - diagram: A diagram of the schema; nil for none.
  package init(_ profile: ArchiveProfile, showsNames: Bool = false, diagram: HTML? = nil) {
    self.profile = profile
    self.showsNames = showsNames
    self.diagram = diagram
    names = ReportNames(profile, areShown: showsNames)
  }

  /// The name of the container, or what it is.
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

  /// What the report holds, and what it does not.
  private var disclosure: String {
    let named =
      showsNames
      ? "It has the names of zones, users and records, and the name of the file; without --names, "
        + "it has numbers instead."
      : "Zones, users and records have numbers in place of their names, which may be personal; "
        + "with --names, it has the names."
    return "Made by recordpack report. No value of a field is in this report: only names of record "
      + "types and fields, the schema, and counts. \(named) Times are UTC."
  }

  /// Rows that a table shows before it says how many there are more.
  static let maxRows = 200
}
