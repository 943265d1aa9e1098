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
    let data: [UInt8]? = text.withUTF8 { utf8 in
      let text = UnsafeRawBufferPointer(utf8)
      guard let count = Base64.decodedCount(text) else { return nil }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
        length = Base64.decode(text, into: UnsafeMutableRawBufferPointer(buffer)) ?? 0
      }
    }
    guard let data else { throw place.error(.malformed, "the asset's data is not base64") }
    guard data.count <= size - offset, data.count <= Self.size else {
      throw place.error(
        .malformed, "a chunk of \(data.count) bytes at \(offset) of an asset of \(size) bytes")
    }
    self.init(sha256: sha256.lowercased(), assetSize: size, offset: offset, data: data)
  }
}
