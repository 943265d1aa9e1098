import Foundation

/// A form of the console, as a browser has sent it.
///
/// Whoever made it: names may be missing, unknown, or there twice.
struct ConsoleForm {
  /// The number of inputs of a form.
  static let maxInputs = 20_000
  /// The maximum size of a form in bytes: one asset of 50 MB, and the values of a record.
  static let maxSize = WebServicesHandler.maxUploadSize + (4 << 20)

  private var texts: [String: [String]] = [:]
  private var files: [String: [Data]] = [:]

  init() {}

  /// - Parameter maxSize: the maximum size in bytes.
  /// - Throws: ``WebError``: `BAD_REQUEST` for a body that is too large, has too many inputs, or ends
  ///   too early; `QUOTA_EXCEEDED` for a file that is too large.
  init(_ request: WebRequest, maxSize: Int = Self.maxSize) throws {
    guard request.body.count <= maxSize else {
      throw WebError(.badRequest, "the form has more than \(maxSize) bytes")
    }
    guard let data = try FormData(request, limit: Self.maxInputs + 1) else {
      let items = WebRequest("POST", "/?" + String(decoding: request.body, as: UTF8.self))
        .queryItems
      guard items.count <= Self.maxInputs else { throw Self.tooMany }
      for (name, value) in items { add(name, value) }
      return
    }
    guard data.parts.count <= Self.maxInputs else { throw Self.tooMany }
    for part in data.parts {
      guard let name = part.name else { continue }
      guard let fileName = part.fileName else {
        // Browsers send line breaks as CR LF.
        let text = String(decoding: part.content, as: UTF8.self)
        add(name, text.contains("\r\n") ? text.replacing("\r\n", with: "\n") : text)
        continue
      }
      guard part.content.count <= WebServicesHandler.maxUploadSize else {
        throw WebError(
          .quotaExceeded, "a file has at most \(WebServicesHandler.maxUploadSize) bytes")
      }
      // An input without a chosen file has an empty name and no content.
      if !fileName.isEmpty || !part.content.isEmpty {
        files[name, default: []].append(part.content)
      }
    }
  }

  private mutating func add(_ name: String, _ text: String) {
    let (name, text) = ConsoleRequest.decoded(name, text)
    texts[name, default: []].append(text)
  }

  private static let tooMany = WebError(
    .badRequest, "the form has more than \(maxInputs) inputs")

  /// The names and texts of all inputs without files, in the order of the names.
  var items: [(name: String, value: String)] {
    texts.sorted { $0.key < $1.key }.flatMap { name, texts in texts.map { (name, $0) } }
  }

  /// Whether the form has an input.
  func has(_ name: String) -> Bool { texts[name] != nil }

  /// Returns the text of an input; empty if it is not there.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST` for an input that is there twice.
  func text(_ name: String) throws -> String {
    let found = texts[name] ?? []
    guard found.count <= 1 else {
      throw WebError(.badRequest, "the form has the input '\(name.prefix(100))' more than once")
    }
    return found.first ?? ""
  }

  /// Returns the text of an input; nil if it is not there or empty.
  func value(_ name: String) throws -> String? {
    let text = try text(name)
    return text.isEmpty ? nil : text
  }

  func required(_ name: String) throws -> String {
    guard let value = try value(name) else {
      throw WebError(.badRequest, "the form has no '\(name)'")
    }
    return value
  }

  /// Returns the contents of the files that were chosen for an input.
  func files(_ name: String) -> [Data] { files[name] ?? [] }
}
