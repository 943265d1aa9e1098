import RecordArchive
import RecordModel
import RecordPages
import RecordText

/// Creates and deletes zones.
struct ZonesView {
  let context: ConsoleRequest

  /// The number of zones that are shown.
  private static let maxZones = 500

  func html() throws -> HTML {
    let all = try context.zones().filter { $0.database == .private && !$0.zoneID.isDefault }
    let zones = all.filter(context.actor.owns) + all.filter { !context.actor.owns($0) }
    let records = Dictionary(
      try context.source.sections().map { (ZoneLocation($0.database, $0.zoneID), $0.records) },
      uniquingKeysWith: +)
    var table = HTMLTable(
      ["Zone", .number("Records"), .hidden("Actions", style: "links")], label: "Zones")
    for zone in zones.prefix(Self.maxZones) {
      let items = context.items(zone)
      let links: HTML = """
        <a href="\(context.link(.edit, items))">New record</a> \
        <a href="\(context.link(.sharing, items))">Share the zone</a> \
        <a href="\(context.link(.delete, items))">Delete</a>
        """
      // The server would reject what the actor does with the zones of others.
      table.add(
        "<a href=\"\(context.link(.records, items))\">\(ConsoleRequest.words(zone.zoneID))</a>",
        "\(Numbers.grouped(records[zone] ?? 0))",
        context.actor.owns(zone) ? links : .empty)
    }
    let list =
      table.isEmpty
      ? ConsoleRequest.empty("There is no zone besides the default zone.") : table.html
    return context.editingPage(
      "Zones",
      """
      \(context.actorLine)
      \(list)
      \(ConsoleRequest.rest(of: zones.count, Self.maxZones, "zone"))
      <h2>Create a zone</h2>
      \(context.form(.createZone, [], """
        <label>Name<input name="name" required maxlength="255" autocomplete="off" spellcheck="false">\
        </label>
        <button>Create</button>
        """))
      """)
  }
}
