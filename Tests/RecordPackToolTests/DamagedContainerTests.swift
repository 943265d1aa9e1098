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
    "whose asset lost its content is exported with exit code 1",
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
}
