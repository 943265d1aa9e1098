import RecordArchive
import RecordModel
import RecordPages
import RecordText

/// Creates and deletes zones.
struct ZonesView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    try context.requireEditing()
    let zones = try context.source.zones().map { ZoneLocation($0.database, $0.zone.zoneID) }
      .filter { $0.database == .private && !$0.zoneID.isDefault }
    let records = Dictionary(
      try context.source.sections().map { (ZoneLocation($0.database, $0.zoneID), $0.records) },
      uniquingKeysWith: +)
    // The server would reject what the actor does with the zones of others.
    let choices = zones.filter(context.actor.owns).prefix(500)
      .map { ($0.formText, $0.zoneID.zoneName) }
    var table = HTMLTable(
      ["Zone", .number("Records"), .hidden("Actions", style: "links")], label: "Zones")
    for zone in zones.prefix(500) {
      let items = context.items(zone)
      table.add(
        "<a href=\"\(context.link(.records, items))\">\(ConsoleRequest.words(zone.zoneID))</a>",
        "\(Numbers.grouped(records[zone] ?? 0))",
        """
        \(when: context.actor.owns(zone), """
          <a href="\(context.link(.edit, items))">New record</a> \
          <a href="\(context.link(.sharing, items))">Share the zone</a>
          """)
        """)
    }
    let list =
      table.isEmpty
      ? ConsoleRequest.empty("There is no zone besides the default zone.") : table.html
    return context.editingPage(
      "Zones",
      """
      \(context.actorLine)
      \(list)
      <h2>Create a zone</h2>
      \(context.form(.createZone, [], """
        <label>Name<input name="name" required maxlength="255" autocomplete="off" spellcheck="false">\
        </label>
        <button>Create</button>
        """))
      \(when: !choices.isEmpty, """
        <h2>Delete a zone</h2>
        \(context.form(.deleteZone, [], """
          \(ConsoleRequest.select("zone", "Zone", choices))
          <label class="check"><input type="checkbox" name="confirmed" value="1" required>\
          With all its records</label>
          <button class="danger">Delete</button>
          """))
        """)
      """)
  }
}
