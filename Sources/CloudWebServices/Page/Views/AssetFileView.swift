import Foundation
import RecordArchive
import RecordModel

/// The content of an asset. Images are seen, everything else is downloaded: what a record holds never
/// runs as a part of the page.
struct AssetFileView {
  let context: PageContext

  /// The number of bytes that tell an image from other files.
  private static let headSize = 16

  func response() throws -> WebResponse {
    guard let sha256 = context.value("sha256") else {
      throw WebError(.badRequest, "the address names no asset")
    }
    var content = Data()
    do {
      try context.source.forEachChunk(ofAsset: sha256) { content.append(contentsOf: $0) }
    } catch {
      throw WebError(.notFound, "the content of the asset is not there")
    }
    var response = WebResponse(
      status: 200, headers: ["Content-Type": "application/octet-stream"], body: content)
    if let type = Self.imageType(of: content.prefix(Self.headSize)) {
      response.headers["Content-Type"] = type
    } else {
      response.headers["Content-Disposition"] = "attachment"
    }
    return response
  }

  /// Returns the type of an asset that is an image; nil for another one.
  func imageType(_ sha256: String) -> String? {
    struct Enough: Error {}
    var head = Data()
    do {
      try context.source.forEachChunk(ofAsset: sha256) { bytes in
        head.append(contentsOf: bytes.prefix(Self.headSize))
        throw Enough()
      }
    } catch is Enough {
    } catch {
      return nil
    }
    return Self.imageType(of: head)
  }

  /// SVG is not among them: it can have scripts.
  static func imageType(of head: Data) -> String? {
    let bytes = Array(head)
    func starts(_ prefix: [UInt8], at place: Int = 0) -> Bool {
      bytes.dropFirst(place).starts(with: prefix)
    }
    if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if starts([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if starts(Array("GIF8".utf8)) { return "image/gif" }
    if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) { return "image/webp" }
    if starts(Array("ftyp".utf8), at: 4) {
      if starts(Array("avif".utf8), at: 8) { return "image/avif" }
      if starts(Array("heic".utf8), at: 8) { return "image/heic" }
    }
    return nil
  }
}
