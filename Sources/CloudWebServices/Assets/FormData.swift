import Foundation

/// The parts of a body of `multipart/form-data` (RFC 7578). OpenCloudKit uploads assets so.
struct FormData {
  /// The content of the part with the name `files`, or else of the first part.
  let content: Data

  /// Reads the body of a request.
  ///
  /// - Returns: nil for a body that is not form data.
  /// - Throws: ``WebError``: `BAD_REQUEST` for form data without a complete part.
  init?(_ request: WebRequest) throws {
    guard let type = request.headers["Content-Type"],
      type.lowercased().hasPrefix("multipart/form-data")
    else { return nil }
    let parts = try Self.boundary(type).map { Self.parts(of: request.body, boundary: $0) } ?? []
    guard let part = parts.first(where: \.isFile) ?? parts.first else {
      throw WebError(.badRequest, "the form data of the upload has no complete part")
    }
    content = part.content
  }

  private struct Part {
    let isFile: Bool
    let content: Data
  }

  private static func boundary(_ type: String) throws -> String? {
    let match = try #/(?i)boundary=(?:"([^"]*)"|([^\s;]+))/#.firstMatch(in: type)
    let boundary = (match?.1 ?? match?.2).map(String.init)
    return boundary.flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
  }

  /// Returns the parts that end before a delimiter, at most 100.
  private static func parts(of body: Data, boundary: String) -> [Part] {
    // The first delimiter can be at the very beginning.
    let body = Data("\r\n".utf8) + body
    let delimiter = Data("\r\n--\(boundary)".utf8)
    var parts: [Part] = []
    var start = body.range(of: delimiter)?.upperBound
    while let from = start, parts.count < 100,
      let end = body.range(of: delimiter, in: from..<body.endIndex),
      let head = body.range(of: Data("\r\n\r\n".utf8), in: from..<end.lowerBound)
    {
      let headers = String(decoding: body[from..<head.lowerBound], as: UTF8.self)
      parts.append(
        Part(
          isFile: headers.contains(#/(?i)[\s;]name=(?:"files"|files(?=[\s;]|$))/#),
          content: Data(body[head.upperBound..<end.lowerBound])))
      start = end.upperBound
    }
    return parts
  }
}
