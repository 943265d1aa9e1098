import RecordCoding
import RecordPlatform

/// A chunk of an asset's bytes: the content of an asset line.
public struct AssetChunk: Sendable, Hashable {
  /// The size in bytes of every chunk of an asset but the last, which holds the rest.
  public static let size = 256 << 10

  /// SHA-256 of the whole asset, 64 lowercase hexadecimal digits.
  public var sha256: String
  /// The size of the whole asset in bytes.
  public var assetSize: Int
  /// The offset of the chunk in the asset, in bytes.
  public var offset: Int
  /// The bytes of the chunk.
  public var data: [UInt8]

  package init(sha256: String, assetSize: Int, offset: Int, data: [UInt8]) {
    self.sha256 = sha256
    self.assetSize = assetSize
    self.offset = offset
    self.data = data
  }
}

extension AssetChunk {
  /// Appends the line of a chunk, without its line feed.
  static func writeLine(
    sha256: String, assetSize: Int, offset: Int, bytes: UnsafeRawBufferPointer,
    to buffer: ByteBuffer
  ) {
    buffer.append("{\"kind\":\"asset\",\"sha256\":")
    buffer.appendJSONString(sha256)
    buffer.append(",\"size\":")
    buffer.appendInteger(Int64(assetSize))
    buffer.append(",\"offset\":")
    buffer.appendInteger(Int64(offset))
    buffer.append(",\"data\":\"")
    Base64.append(bytes, to: buffer)
    buffer.append("\"}")
  }

  /// Whether a line may be a chunk of that asset, as far as its beginning tells.
  static func mayBe(_ line: UnsafeRawBufferPointer, of sha256: String) -> Bool {
    let opening = Array("{\"kind\":\"asset\",\"sha256\":\"".utf8)
    guard LineKind.kind(of: line).map({ $0 == .asset }) ?? true else { return false }
    guard line.starts(with: opening) else { return true }
    return line.dropFirst(opening.count).starts(with: sha256.utf8)
  }

  /// Parses an asset line.
  init(line: UnsafeRawBufferPointer, at place: LineLocation) throws {
    if let parts = Parts(canonical: line), let chunk = try Self(parts, at: place) {
      self = chunk
      return
    }
    let json = try JSONParser.parse(line)
    guard let sha256 = json["sha256"]?.string, SHA256Digest(hexadecimal: sha256) != nil,
      let size = json["size"]?.integer, let offset = json["offset"]?.integer,
      var text = json["data"]?.string, size >= 0, offset >= 0, offset <= size
    else {
      throw place.error(
        .malformed,
        "an asset line has sha256 (64 lowercase hexadecimal digits), size, offset, data (base64)"
      )
    }
    let chunk = try text.withUTF8 {
      let text = UnsafeRawBufferPointer($0)
      return try Self(Parts(sha256: sha256, size: size, offset: offset, text: text), at: place)
    }
    guard let chunk else { throw place.error(.malformed, "the asset's data is not base64") }
    self = chunk
  }

  /// Decodes the data; returns nil if it is not base64.
  private init?(_ parts: Parts, at place: LineLocation) throws {
    guard let data = Base64.data(from: parts.text).map({ [UInt8]($0) }) else { return nil }
    guard data.count <= parts.size - parts.offset, data.count <= Self.size else {
      throw place.error(
        .malformed,
        "a chunk of \(data.count) bytes at \(parts.offset) of an asset of \(parts.size) bytes")
    }
    self.init(sha256: parts.sha256, assetSize: parts.size, offset: parts.offset, data: data)
  }

  /// The members of a line; `text` is the base64 of the data.
  fileprivate struct Parts {
    let sha256: String
    let size: Int
    let offset: Int
    let text: UnsafeRawBufferPointer
  }
}

extension AssetChunk.Parts {
  /// Takes apart a line as ``AssetChunk/writeLine`` writes it. If `text` is base64, it is all of the
  /// string.
  fileprivate init?(canonical line: UnsafeRawBufferPointer) {
    var scanner = CanonicalReader(line)
    guard scanner.take("{\"kind\":\"asset\",\"sha256\":\""), scanner.end - scanner.position >= 64
    else { return nil }
    let digest = UnsafeRawBufferPointer(
      rebasing: line[scanner.position..<(scanner.position + 64)])
    scanner.position += 64
    guard SHA256Digest(hexadecimal: digest) != nil, scanner.take("\",\"size\":"),
      let size = scanner.plainInteger(), scanner.take(",\"offset\":"),
      let offset = scanner.plainInteger(), offset <= size, scanner.take(",\"data\":\"")
    else { return nil }
    let start = scanner.position
    guard scanner.end - start >= 2 else { return nil }
    scanner.position = scanner.end - 2
    guard scanner.take("\"}") else { return nil }
    self.init(
      sha256: String(decoding: digest, as: UTF8.self), size: Int(size), offset: Int(offset),
      text: UnsafeRawBufferPointer(rebasing: line[start..<(scanner.end - 2)]))
  }
}
