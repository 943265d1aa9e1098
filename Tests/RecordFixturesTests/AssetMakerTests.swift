import Foundation
import RecordBundle
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Made files")
struct AssetMakerTests {
  private static let sizes = [
    84, 200, 257, 399, 400, 1000, 4321, 65_700, 70_000, 200_003, 3_000_000,
  ]

  @Test(
    "have the size that is asked for, and are the same for a seed", arguments: AssetKind.allCases)
  func size(kind: AssetKind) {
    for size in Self.sizes where size >= AssetMaker.minimumSize(kind) {
      let bytes = AssetMaker.bytes(kind, size: size, seed: 7)
      #expect(bytes.count == size, "\(kind) \(size)")
      #expect(bytes == AssetMaker.bytes(kind, size: size, seed: 7))
      #expect(bytes != AssetMaker.bytes(kind, size: size, seed: 8))
    }
    let least = AssetMaker.minimumSize(kind)
    for seed in 0..<200 {
      for size in least...least + 3 {
        #expect(AssetMaker.bytes(kind, size: size, seed: UInt64(seed)).count == size)
      }
    }
  }

  /// The number of bytes `big` endian.
  private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  @Test("are PNG images: chunks with checksums, and a pixel")
  func png() throws {
    for size in [84, 1000, 200_003] {
      let bytes = AssetMaker.bytes(.png, size: size, seed: 3)
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
      var place = 8
      var names: [String] = []
      var side = 0
      while place < bytes.count {
        let count = number(bytes[place..<place + 4])
        let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
        let data = bytes[place + 8..<place + 8 + count]
        var crc: UInt32 = ~0
        for byte in bytes[place + 4..<place + 8 + count] {
          crc ^= UInt32(byte)
          for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        #expect(Int(~crc) == number(bytes[place + 8 + count..<place + 12 + count]), "\(name)")
        names.append(name)
        if name == "IHDR" { side = number(data.prefix(4)) }
        place += 12 + count
      }
      #expect(names == ["IHDR", "IDAT", "rpAd", "IEND"])
      #expect(side == 1)
    }
  }

  @Test("are JPEG images: segments that lead to the scan and the end")
  func jpeg() throws {
    for size in [200, 500, 70_000] {
      let bytes = AssetMaker.bytes(.jpeg, size: size, seed: 3)
      #expect(bytes.starts(with: [0xFF, 0xD8]))
      #expect(bytes.suffix(2).elementsEqual([0xFF, 0xD9]))
      var place = 2
      var markers: [UInt8] = []
      while markers.last != 0xDA {
        guard bytes[place] == 0xFF else {
          Issue.record("no marker at \(place)")
          break
        }
        let count = number(bytes[place + 2..<place + 4])
        markers.append(bytes[place + 1])
        place += 2 + count
      }
      #expect(Set(markers) == [0xE0, 0xFE, 0xDB, 0xC0, 0xC4, 0xDA])
      // The size and the difference of the only coefficient, and the end of the block.
      #expect(bytes[place..<bytes.count - 2].elementsEqual([0x6F, 0x1F]))
    }
  }

  @Test("are stored once, and as large as the recipe says")
  func stored() throws {
    let folder = try TestFolder()
    let reader = try GenerationSamples.bundle(GenerationSamples.generation(), in: folder).reader
    let photos = try GenerationSamples.records(reader)["Message"]?.compactMap {
      $0["photo"] as Asset?
    }
    let sizes = photos?.compactMap(\.size) ?? []
    #expect(sizes.count > 20 && sizes.allSatisfy { (1000...5000).contains($0) })
    #expect(Set(photos?.compactMap(\.sha256) ?? []).count <= 8)
  }
}
