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

  @Test("are PNG images: chunks with checksums, and pixels of the image's size")
  func png() throws {
    for size in [84, 1000, 200_003] {
      let bytes = AssetMaker.bytes(.png, size: size, seed: 3)
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
      var place = 8
      var names: [String] = []
      var side = 0
      var pixels: [UInt8] = []
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
        if name == "IDAT" { pixels = try inflate(Array(data)) }
        place += 12 + count
      }
      #expect(names == ["IHDR", "IDAT", "rpAd", "IEND"])
      #expect(side > 0 && pixels.count == side * (3 * side + 1))
    }
  }

  /// Takes stored blocks apart, and checks the sum at the end.
  private func inflate(_ data: [UInt8]) throws -> [UInt8] {
    #expect((Int(data[0]) << 8 | Int(data[1])) % 31 == 0)
    var (place, raw, isLast) = (2, [UInt8](), false)
    while !isLast {
      isLast = data[place] == 1
      let count = Int(data[place + 1]) | Int(data[place + 2]) << 8
      let check = Int(data[place + 3]) | Int(data[place + 4]) << 8
      #expect(count ^ check == 0xFFFF)
      raw += data[place + 5..<place + 5 + count]
      place += 5 + count
    }
    var (a, b) = (1, 0)
    for byte in raw {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    #expect(number(data[place...]) == b << 16 | a)
    return raw
  }

  @Test("are JPEG images: segments, and a shade for each block")
  func jpeg() throws {
    for (size, side) in [(200, 8), (500, 32), (70_000, 64)] {
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
        if bytes[place + 1] == 0xC0 {
          #expect(number(bytes[place + 5..<place + 7]) == side)
          #expect(number(bytes[place + 7..<place + 9]) == side)
        }
        place += 2 + count
      }
      #expect(Set(markers) == [0xE0, 0xFE, 0xDB, 0xC0, 0xC4, 0xDA])
      let shades = decode(Array(bytes[place..<bytes.count - 2]), blocks: side * side / 64)
      #expect(shades?.allSatisfy { (-128...127).contains($0) } == true)
      #expect(Set(shades ?? []).count > side / 8 / 2)
    }
  }

  /// Decodes the first coefficients; nil if the data ends early or late.
  private func decode(_ data: [UInt8], blocks: Int) -> [Int]? {
    var bits: [Int] = []
    var place = 0
    while place < data.count {
      for bit in stride(from: 7, through: 0, by: -1) {
        bits.append(Int(data[place] >> UInt8(bit) & 1))
      }
      if data[place] == 0xFF {
        guard place + 1 < data.count, data[place + 1] == 0 else { return nil }
        place += 1
      }
      place += 1
    }
    var next = 0
    func take(_ count: Int) -> Int? {
      guard next + count <= bits.count else { return nil }
      defer { next += count }
      return bits[next..<next + count].reduce(0) { $0 << 1 | $1 }
    }
    var shades: [Int] = []
    for _ in 0..<blocks {
      guard let size = take(4), size <= 8, let word = take(size), take(1) == 0 else { return nil }
      let difference = size > 0 && word < 1 << (size - 1) ? word - (1 << size) + 1 : word
      shades.append((shades.last ?? 0) + difference)
    }
    return bits.count - next < 8 ? shades : nil
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
