import Foundation

/// The parts of a body of `multipart/form-data` (RFC 7578). OpenCloudKit uploads assets so, and
/// browsers send forms with files.
struct FormData {
  /// A part that is complete.
  struct Part {
    /// The name of the input; nil for a part without one.
    let name: String?
    /// The name of the file; nil for a part that is not a file, empty if no file was chosen.
    let fileName: String?
    let content: Data
  }

  /// The parts, in their order.
  let parts: [Part]

  /// The content of the part with the name `files`, or else of the first part.
  var content: Data { (parts.first { $0.name == "files" } ?? parts[0]).content }

  /// Reads the body of a request.
  ///
  /// - Parameter limit: the number of parts that are read.
  /// - Returns: nil for a body that is not form data.
  /// - Throws: ``WebError``: `BAD_REQUEST` for form data without a complete part.
  init?(_ request: WebRequest, limit: Int = 100) throws {
    guard let type = request.headers["Content-Type"],
      type.lowercased().hasPrefix("multipart/form-data")
    else { return nil }
    parts = try Self.boundary(type).map { Self.parts(of: request.body, $0, limit) } ?? []
    guard !parts.isEmpty else {
      throw WebError(.badRequest, "the form data of the upload has no complete part")
    }
  }

  private static func boundary(_ type: String) throws -> String? {
    let match = try #/(?i)boundary=(?:"([^"]*)"|([^\s;]+))/#.firstMatch(in: type)
    let boundary = (match?.1 ?? match?.2).map(String.init)
    return boundary.flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
  }

  /// Returns the parts that end before a delimiter.
  private static func parts(of body: Data, _ boundary: String, _ limit: Int) -> [Part] {
    // The first delimiter can be at the very beginning.
    let body = Array("\r\n".utf8) + body
    let delimiter = Array("\r\n--\(boundary)".utf8)
    var parts: [Part] = []
    var start = place(of: delimiter, in: body[...]).map { $0 + delimiter.count }
    while let from = start, parts.count < limit, let end = place(of: delimiter, in: body[from...]),
      let head = place(of: Array("\r\n\r\n".utf8), in: body[from..<end])
    {
      let headers = String(decoding: body[from..<head], as: UTF8.self)
      parts.append(
        Part(
          name: value("name", headers), fileName: value("filename", headers),
          content: Data(body[(head + 4)..<end])))
      start = end + delimiter.count
    }
    return parts
  }

  /// Returns where a text begins in bytes. `Data.range(of:in:)` copies the bytes that it searches, so
  /// that a body of many parts took time by the square of their number.
  private static func place(of text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var from = 0
      while let found = memchr(base + from, Int32(text[0]), buffer.count - from) {
        let start = UnsafeRawPointer(found) - base
        if buffer[start...].starts(with: text) { return bytes.startIndex + start }
        from = start + 1
      }
      return nil
    }
  }

  /// Returns the value of a parameter of a part's headers, quoted or not. A regular expression took
  /// milliseconds for each part.
  private static func value(_ name: String, _ headers: String) -> String? {
    let parameter = Array("\(name)=".utf8)
    let bytes = Array(headers.utf8)
    guard bytes.count > parameter.count else { return nil }
    let separators = Array(" ;\t".utf8)
    let ends = separators + Array("\r\n".utf8)
    for start in 1..<(bytes.count - parameter.count) {
      guard separators.contains(bytes[start - 1]) else { continue }
      let found = bytes[start..<(start + parameter.count)].map { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      }
      guard found == parameter else { continue }
      let rest = bytes[(start + parameter.count)...]
      let isQuoted = rest.first == UInt8(ascii: "\"")
      let value =
        isQuoted
        ? rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
        : rest.prefix { !ends.contains($0) }
      return String(decoding: value, as: UTF8.self)
    }
    return nil
  }
}
