import Foundation
import RecordCoding
import RecordPlatform

/// The forms of files, beside images of AssetMaker, that replace files of their form and open.
enum MadeUpFile: CaseIterable {
  case gif, pdf, zip, gzip, propertyList, heic, movie, webP, wave, sqlite, id3

  /// The form of a file that begins so; nil for another one.
  init?(beginning bytes: UnsafeRawBufferPointer) {
    let brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif"]
    guard
      let found = Self.allCases.first(where: { file in
        switch file {
        case .webP, .wave:
          bytes.starts(with: "RIFF".utf8)
            && bytes.dropFirst(8).starts(with: (file == .wave ? "WAVE" : "WEBP").utf8)
        case .heic, .movie:
          bytes.dropFirst(4).starts(with: "ftyp".utf8)
            && (file == .movie || brands.contains { bytes.dropFirst(8).starts(with: $0.utf8) })
        default: bytes.starts(with: file.signature)
        }
      })
    else { return nil }
    self = found
  }

  /// How files of the form begin; versions are those of the files that are made.
  var signature: [UInt8] {
    switch self {
    case .gif: Array("GIF8".utf8)
    case .pdf: Array("%PDF-".utf8)
    case .zip: [0x50, 0x4B, 0x03, 0x04]
    case .gzip: [0x1F, 0x8B, 0x08]
    case .propertyList: Array("bplist00".utf8)
    case .heic: Self.heicImage
    case .movie: Self.box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8))
    case .webP, .wave: Array("RIFF".utf8)
    case .sqlite: Array("SQLite format 3\0".utf8)
    case .id3: Array("ID3".utf8)
    }
  }

  /// Returns a file.
  ///
  /// - Parameter size: Its size; at least ``ReplacementContent/usualSize``.
  func bytes(size: Int, seed: UInt64) -> [UInt8] {
    var random = SeededNumbers(seed: seed)
    return switch self {
    case .gif: Self.gif(size, &random)
    case .pdf: Self.pdf(size, &random)
    case .zip: Self.zip(size, &random)
    case .gzip: Self.gzip(size, &random)
    case .propertyList: Self.propertyList(size, &random)
    case .heic: Self.boxes(Self.heicImage, size, &random)
    case .movie:
      Self.boxes(signature + Self.box("moov", Self.box("mvhd", Self.movieHeader)), size, &random)
    case .webP: Self.webP(size, &random)
    case .wave: Self.wave(size, &random)
    case .sqlite: Self.sqlite(size, &random)
    case .id3: Self.id3(size, &random)
    }
  }

  private static func big<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func little<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func letters(_ count: Int, _ random: inout SeededNumbers) -> [UInt8] {
    (0..<count).map { _ in UInt8(97 + random.below(26)) }
  }

  /// One pixel, and a comment (GIF89a).
  private static func gif(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let opening =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x21, 0xFE]
    let end: [UInt8] = [
      0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ]
    var comment: [UInt8] = []
    var left = size - opening.count - end.count
    while left > 0 {
      // A block of no bytes would end the comment.
      let block = min(256, left) - (left == 257 ? 1 : 0)
      comment.append(UInt8(block - 1))
      comment += letters(block - 1, &random)
      left -= block
    }
    return opening + comment + end
  }

  /// An empty page, and a comment (ISO 32000-1).
  private static func pdf(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    var text = Array("%PDF-1.4\n".utf8)
    var offsets: [Int] = []
    for (number, object) in [
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Resources<<>>>>",
    ].enumerated() {
      offsets.append(text.count)
      text += Array("\(number + 1) 0 obj\n\(object)\nendobj\n".utf8)
    }
    func end(_ table: Int) -> [UInt8] {
      let rows = offsets.map { String(repeating: "0", count: 10 - "\($0)".utf8.count) + "\($0)" }
      return Array(
        ("xref\n0 4\n0000000000 65535 f \n" + rows.map { "\($0) 00000 n \n" }.joined()
          + "trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n").utf8)
    }
    // The place of the table has as many digits as the size, or one less.
    var padding = size - text.count - 2 - end(size).count
    let table = text.count + 2 + padding
    padding += end(size).count - end(table).count
    text += [UInt8(ascii: "%")] + letters(padding, &random) + [0x0A]
    return text + end(text.count)
  }

  /// One file without compression (PKWARE's application note 6.3.10).
  private static func zip(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let name = Array("text.txt".utf8)
    let content = letters(size - 98 - 2 * name.count, &random)
    // Version 1.0, no flags, stored, the first day of 1980.
    let facts: [UInt8] =
      [10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0] + little(AssetMaker.crc(content))
      + little(UInt32(content.count)) + little(UInt32(content.count)) + little(UInt16(name.count))
      + [0, 0]
    let file = [0x50, 0x4B, 3, 4] + facts + name + content
    let entry: [UInt8] =
      [0x50, 0x4B, 1, 2, 10, 0] + facts + [UInt8](repeating: 0, count: 14) + name
    return file + entry + [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + little(UInt32(entry.count))
      + little(UInt32(file.count)) + [0, 0]
  }

  /// Stored blocks (RFC 1951, RFC 1952).
  private static func gzip(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let left = size - 18
    let blocks = (left + 65_539) / 65_540
    let content = letters(left - 5 * blocks, &random)
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    for block in 0..<blocks {
      let part = content[
        min(content.count, block * 65_535)..<min(content.count, (block + 1) * 65_535)]
      let length = UInt16(part.count)
      bytes += [block == blocks - 1 ? 1 : 0] + little(length) + little(~length) + part
    }
    return bytes + little(AssetMaker.crc(content)) + little(UInt32(content.count))
  }

  /// A string.
  private static func propertyList(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    var count = size - 46
    let text = letters(size, &random)
    for _ in 0..<4 {
      let string = String(decoding: text.prefix(count), as: UTF8.self)
      let list = BinaryPlist(objects: [.string(string)], top: 0).encoded()
      if list.count == size { return Array(list) }
      count += size - list.count
    }
    // Some sizes have no list of one string.
    return Array("bplist00".utf8) + letters(size - 8, &random)
  }
}

// MARK: Images, films, sounds and databases

extension MadeUpFile {
  /// A white image of 64 × 64 pixels (ISO/IEC 23008-12), made by libheif and x265.
  private static let heicImage: [UInt8] = Array(
    Data(
      base64Encoded: """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA\
        AAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABegABAAAAAAAAABMAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAA\
        AAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA1mlwcnAAAAC3aXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34\
        +AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmu\
        bgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQAAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAA\
        QAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgQIDBAAAABttZGF0AAAADygBrwUY/QENSTfXY/CT\
        gA==
        """) ?? Data())

  private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    big(UInt32(content.count + 8)) + Array(kind.utf8) + content
  }

  /// Boxes, and a free one behind them (ISO/IEC 14496-12).
  private static func boxes(
    _ boxes: [UInt8], _ size: Int, _ random: inout SeededNumbers
  ) -> [UInt8] {
    boxes + box("free", letters(size - boxes.count - 8, &random))
  }

  /// A film of no length without tracks: the time scale, the rate, the volume, the matrix, the next track.
  private static let movieHeader: [UInt8] =
    [UInt8](repeating: 0, count: 12) + big(UInt32(1000)) + big(UInt32(0)) + [0, 1, 0, 0, 1, 0]
    + [UInt8](repeating: 0, count: 10)
    + [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { big(UInt32($0)) }
    + [UInt8](repeating: 0, count: 24) + big(UInt32(1))

  private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    Array(kind.utf8) + little(UInt32(content.count)) + content
  }

  /// A pixel without loss, and a chunk that readers skip (RFC 9649). Chunks have even sizes.
  private static func webP(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let pixel: [UInt8] = [0x2F, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 7]
    let image = Array("WEBP".utf8) + chunk("VP8L", pixel) + [0]
    let padding = letters((size - 8 - image.count - 8) & ~1, &random)
    let bytes = chunk("RIFF", image + chunk("rpAd", padding))
    return bytes + letters(size - bytes.count, &random)
  }

  /// One channel of 8,000 bytes a second (IBM and Microsoft, RIFF MCI).
  private static func wave(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let format: [UInt8] =
      [1, 0, 1, 0] + little(UInt32(8000)) + little(UInt32(8000)) + [1, 0, 8, 0]
    let sound = letters((size - 44) & ~1, &random)
    let bytes = chunk("RIFF", Array("WAVE".utf8) + chunk("fmt ", format) + chunk("data", sound))
    return bytes + letters(size - bytes.count, &random)
  }

  /// An empty database of one page (SQLite's database file format); the unused part of the page has letters.
  private static func sqlite(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let numbers: [UInt32] = [1, 1, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3_045_000]
    let header =
      Array("SQLite format 3\0".utf8) + [2, 0, 1, 1, 0, 64, 32, 32]
      + numbers.flatMap { big($0) } + [13, 0, 0, 0, 0, 2, 0, 0]
    return header + letters(size - header.count, &random)
  }

  /// A tag with a text (ID3 version 2.3) and no sound. The size has seven bits a byte.
  private static func id3(_ size: Int, _ random: inout SeededNumbers) -> [UInt8] {
    let text = letters(size - 23, &random)
    let count = UInt32(size - 10)
    return Array("ID3".utf8) + [3, 0, 0]
      + [21, 14, 7, 0].map { UInt8(count >> UInt32($0) & 0x7F) } + Array("TXXX".utf8)
      + big(UInt32(text.count + 3)) + [0, 0, 0, UInt8(ascii: "x"), 0] + text
  }
}
