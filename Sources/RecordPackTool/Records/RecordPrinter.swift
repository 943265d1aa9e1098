import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// Prints a record: the system fields, then the fields with their types.
struct RecordPrinter {
  let style: TerminalStyle
  let showEncrypted: Bool

  func lines(_ record: ResultRecord, _ database: DatabaseScope) -> [String] {
    let system = record.systemFields
    var lines = [
      style.paint(record.recordType.visible, .cyan) + " "
        + style.paint(record.recordID.recordName.visible, .bold)
    ]
    lines += facts(system, database).lines(style, indent: "  ")
    guard !record.fields.isEmpty else { return lines + ["", "  no fields"] }
    return lines + [""] + fields(record).lines(style, indent: "  ")
  }

  private func facts(_ system: SystemFields, _ database: DatabaseScope) -> Table {
    let words = FieldText(showEncrypted: showEncrypted)
    var table = Table([.left, .left])
    func add(_ name: String, _ text: String?) {
      if let text { table.add([.init(name, .dim), .init(text)]) }
    }
    add("database", database.rawValue)
    add("zone", system.recordID.zoneID.description)
    add("change tag", system.recordChangeTag)
    add("created", system.created.map(stamp))
    add("modified", system.modified.map(stamp))
    add("parent", system.parent.map(words.reference))
    add("share", system.share.map(words.reference))
    for member in system.otherMembers { add(member.name, other(member.name, member.value)) }
    return table
  }

  private func stamp(_ stamp: RecordStamp) -> String {
    var parts = [stamp.date.map(\.inWords) ?? "at an unknown time"]
    if let user = stamp.userRecordName { parts.append("by \(user)") }
    if let device = stamp.deviceID { parts.append("on device \(device)") }
    return parts.joined(separator: " ")
  }

  private func other(_ name: String, _ json: RawJSON) -> String {
    let most = 400
    let text = RecordDisclosure(showEncrypted: showEncrypted).shown(json.text, named: name)
    return text.count > most ? text.prefix(most) + "…" : text
  }

  private func fields(_ record: ResultRecord) -> Table {
    let words = FieldText(showEncrypted: showEncrypted)
    var table = Table([.left, .left, .left])
    for field in record.fields {
      let type = (field.isEncrypted ? "ENCRYPTED " : "") + field.value.typeName
      let isMasked = field.isEncrypted && !showEncrypted
      for (number, line) in words.lines(field).enumerated() {
        table.add([
          .init(number == 0 ? field.name : ""), .init(number == 0 ? type : "", .dim),
          .init(line, isMasked ? .yellow : nil),
        ])
      }
    }
    return table
  }
}
