extension ContainerTransaction {
  @inline(__always)
  func section(_ zone: ZoneState, _ type: TypeState) throws -> SectionState {
    if let lastSection, lastSection.zone === zone, lastSection.type === type { return lastSection }
    return try lookUpSection(zone, type)
  }

  private func lookUpSection(_ zone: ZoneState, _ type: TypeState) throws -> SectionState {
    if let known = sections[zone.index].first(where: { $0.type.id == type.id }) {
      lastSection = known
      return known
    }
    let section = SectionState(zone: zone, type: type)
    if !isNew { try read(section) }
    sections[zone.index].append(section)
    lastSection = section
    return section
  }

  private func read(_ section: SectionState) throws {
    _ = try db.first(
      "\(CheckedTable.section.select) WHERE zone = ? AND type = ?",
      [section.zone.id, section.type.id]
    ) { row in
      guard row.isIntact(.section) else {
        mustRecount = true
        return
      }
      section.setStored(SectionExtent(row, from: 2))
    }
  }

  /// Writes the sections that have changed, and builds the index of their order if they need it.
  func writeSections() throws {
    if mustRecount, !isNew { try recountSections() }
    let changed = sections.joined().filter(\.isDirty)
    if changed.contains(where: { !$0.extent.isScannable }) {
      try db.execute(StoreSchema.orderIndex)
    }
    for section in changed {
      countRows(
        .records, Int(section.extent.records &- section.storedRecords), in: section.zone.scope)
      try write(section)
    }
  }

  /// Counts the records of all sections.
  private func recountSections() throws {
    (mustRecount, hasRecounted) = (false, true)
    var found: [SectionKey: SectionExtent] = [:]
    try db.forEachRow("SELECT zone, type, name, length(json), id FROM record ORDER BY id") { row in
      found[SectionKey(zone: row.int64(0), type: row.int64(1)), default: SectionExtent()]
        .append(id: row.int64(4), name: row.bytes(2), bytes: Int(row.int64(3)))
    }
    try db.run("DELETE FROM section")
    for section in sections.joined() {
      section.change { $0.records = 0 }
      section.isDirty = false
    }
    for (key, extent) in found {
      // Records of a missing zone or type are not counted.
      guard let zone = try zoneState(withID: key.zone), let type = try? type(withID: key.type)
      else {
        continue
      }
      try section(zone, type).change { $0 = extent }
    }
  }

  private func write(_ section: SectionState) throws {
    try db.insert(
      [section.zone.id, section.type.id] + section.extent.values, into: .section, or: .replace)
    section.storedRecords = section.extent.records
    section.isDirty = false
  }
}
