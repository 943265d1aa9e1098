import Foundation
import RecordPack
import StoreTestSupport
import Testing

@Suite("A container with a damaged byte, on the command line")
struct DamagedContainerTests {
  @Test(
    "verify reports it with exit code 1 in whatever table it is, and export names what it leaves out"
  )
  func damage() async throws {
    try await withFolder { folder in
      let container = try ContainerStore.open(path: folder + "/c.sqlite", mode: .create)
      let database = container.database(.private)
      let zone = ZoneID(zoneName: "zone-unmistakable")
      try database.save([RecordZone(zoneID: zone)])
      for type in ["TypeUnmistakable", "Other"] {
        let recordID = RecordID(recordName: "\(type)-unmistakable", zoneID: zone)
        try database.save([DraftRecord(recordType: type, recordID: recordID)])
      }
      try container.close()
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder + "/c.sqlite"))
      var places: [Int] = []
      for name in ["zone-unmistakable", "TypeUnmistakable"] {
        var rest = whole.startIndex..<whole.endIndex
        while let found = whole.range(of: Data(name.utf8), in: rest) {
          places.append(found.lowerBound)
          rest = found.upperBound..<whole.endIndex
        }
      }
      // The tables of zones, types, sections and records, and their indexes.
      #expect(places.count >= 8)
      for place in places {
        var damaged = whole
        damaged[place] ^= 1
        try damaged.write(to: URL(fileURLWithPath: folder + "/\(place).sqlite"))
      }
      let verified = try await ToolProcess.shell("recordpack verify *.sqlite", in: folder)
      #expect(verified.code == 1, "\(verified.errors)")
      for place in places {
        #expect(verified.output.contains("\(place).sqlite: damaged"), "\(verified.output)")
        let exported = try await ToolProcess.run(
          "export", "\(place).sqlite", "-o", "d.recordpack", "--force", in: folder)
        let isWhole = exported.output.contains("2 records")
        let isNamed = exported.code == 1 && exported.errors.contains("it is left out")
        #expect(
          exported.code == 2 || isNamed || isWhole && exported.code == 0,
          "\(place): \(exported.output)\(exported.errors)")
      }
    }
  }

  @Test(
    "whose asset lost its content is exported with exit code 1, and imported with a warning",
    .enabled(if: Command.exists("sqlite3"), "sqlite3 is not installed"),
    arguments: ["DELETE FROM asset", "UPDATE asset SET size = NULL", "DELETE FROM assetChunk"])
  func lostAsset(damage: String) async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      _ = try await Command("sqlite3", folder + "/Tact.sqlite", damage)
      for options in [[], ["--type", "Chat"]] {
        let exported = try await ToolProcess.run(
          ["export", "Tact.sqlite", "-o", "a.recordpack", "--force"] + options, in: folder)
        #expect(exported.code == 1)
        if damage.hasSuffix("Chunk") {
          #expect(exported.errors.contains("bytes of asset"), "\(exported)")
        } else {
          #expect(exported.output.contains("the bytes of 1 asset are missing"), "\(exported)")
        }
      }
      let quiet = try await ToolProcess.run(
        line: "import Tact.sqlite new.sqlite --quiet", in: folder)
      #expect(quiet.errors.contains("bytes of"), "\(quiet)")
    }
  }

  @Test(
    "names the commands that repair it, and they do",
    .enabled(if: Command.exists("sqlite3"), "sqlite3 is not installed"))
  func remedies() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let damage = "UPDATE record SET json = CAST('garbage' AS BLOB) WHERE name = 'message-1'"
      _ = try await Command("sqlite3", folder + "/Tact.sqlite", damage)
      let verified = try await ToolProcess.run("verify", "Tact.sqlite", in: folder)
      #expect(verified.code == 1)
      let recover = "recordpack recover Tact.sqlite -o saved.recordpack"
      let replace = "recordpack import BACKUP Tact.sqlite --on-conflict replace"
      #expect(verified.output.contains(recover) && verified.output.contains(replace))
      let recovered = try await ToolProcess.shell(
        "\(recover); echo $?; recordpack import saved.recordpack new.sqlite && "
          + "recordpack import Tact.recordpack new.sqlite --on-conflict replace && "
          + "recordpack verify new.sqlite && recordpack diff Tact.recordpack new.sqlite", in: folder
      )
      #expect(recovered.code == 0, "\(recovered)")
      #expect(recovered.output.contains("Saved 2 records to saved.recordpack"))
      #expect(recovered.output.contains("damaged: record 'message-1'"), "\(recovered.output)")
      let replaced = try await ToolProcess.shell(
        "\(replace.replacing("BACKUP", with: "Tact.recordpack")) && recordpack verify Tact.sqlite && "
          + "recordpack diff Tact.recordpack Tact.sqlite", in: folder)
      #expect(replaced.code == 0, "\(replaced)")
    }
  }

  @Test(
    "that lacks rows is named by changes, with exit code 1",
    .enabled(if: Command.exists("sqlite3"), "sqlite3 is not installed"),
    arguments: [
      ("DELETE FROM record WHERE name = 'message-1'", "records", true),
      ("DELETE FROM tombstone", "deleted records", true),
      ("DELETE FROM zone WHERE name = 'Gone'", "zones", false),
      ("DELETE FROM zoneTombstone", "deleted zones", false),
    ])
  func missingRows(damage: String, rows: String, isOfZone: Bool) async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let container = try ContainerStore.open(path: folder + "/Tact.sqlite")
      let zones = ["Gone", "Deleted"].map { RecordZone(zoneName: $0) }
      try container.database(.private).save(zones)
      try container.database(.private).deleteZone(zones[1].zoneID)
      try container.close()
      let arguments =
        ["changes", "Tact.sqlite"] + (isOfZone ? ["--zone", Samples.zone.zoneName] : [])
      let before = try await ToolProcess.run(arguments, in: folder)
      #expect(before.code == 0 && before.errors.isEmpty, "\(before)")
      _ = try await Command("sqlite3", folder + "/Tact.sqlite", damage)
      let changes = try await ToolProcess.run(arguments, in: folder)
      #expect(changes.code == 1, "\(changes)")
      #expect(changes.errors.contains(" \(rows) in the private database of "), "\(changes.errors)")
      #expect(changes.output.contains("--change-token"))
    }
  }

  @Test(
    "with other bytes in an asset differs from its bundle",
    .enabled(if: Command.exists("sqlite3"), "sqlite3 is not installed"))
  func differentAsset() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let compare = "recordpack diff Tact.recordpack Tact.sqlite"
      let before = try await ToolProcess.shell(compare, in: folder)
      #expect(before.code == 0, "\(before)")
      let damage = "UPDATE assetChunk SET data = CAST('X' || substr(data, 2) AS BLOB)"
      _ = try await Command("sqlite3", folder + "/Tact.sqlite", damage)
      for options in ["", " --zone \(Samples.zone.zoneName)", " --quiet"] {
        let found = try await ToolProcess.shell(compare + options, in: folder)
        #expect(found.code == 1, "\(options): \(found)")
        guard !options.contains("quiet") else { continue }
        #expect(found.errors.contains("the bytes of asset"), "\(found.errors)")
        #expect(found.output.contains("- asset"), "\(found.output)")
      }
      let records = try await ToolProcess.shell(compare + " --records-only", in: folder)
      #expect(records.code == 0, "\(records)")
    }
  }

  @Test(
    "on a page that cannot be read is recovered, and verify does not advise to repair it in place",
    .enabled(if: Command.exists("sqlite3"), "sqlite3 is not installed"))
  func damagedPage() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let path = folder + "/Tact.sqlite"
      let found = try await Command(
        "sqlite3", path, "SELECT rootpage FROM sqlite_master WHERE name = 'assetUse'")
      let page = try #require(Int(found.output.trimmingCharacters(in: .whitespacesAndNewlines)))
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes.replaceSubrange((page - 1) * 16_384..<page * 16_384, with: Data(count: 16_384))
      try bytes.write(to: URL(fileURLWithPath: path))
      let verified = try await ToolProcess.run("verify", "Tact.sqlite", in: folder)
      #expect(verified.code == 1, "\(verified)")
      #expect(verified.output.contains("Tact.sqlite: the table 'assetUse'"), "\(verified.output)")
      #expect(verified.output.contains("recordpack recover Tact.sqlite -o saved.recordpack"))
      #expect(!verified.output.contains("recordpack import"))
      let saved = try await ToolProcess.run(
        "recover", "Tact.sqlite", "-o", "s.recordpack", in: folder)
      #expect(saved.code == 1 && saved.output.contains("Saved 3 records"), "\(saved)")
      #expect(!saved.output.contains("lost:"), "\(saved)")
    }
  }
}
