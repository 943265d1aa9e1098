import CloudWebServices
import Foundation

/// A form of the console as a browser sends it: with the values that it has, unless a test enters
/// others.
struct SentForm {
  let action: String
  /// The names and texts, in their order.
  var texts: [(name: String, text: String)] = []
  var files: [(name: String, fileName: String, content: Data)] = []

  /// Reads a form of a page; nil if the page has none with that action.
  ///
  /// - Parameter containing: a text that the form contains, where a page has several.
  init?(_ page: String, action: String, containing: String = "") {
    let forms = page.components(separatedBy: "<form method=\"post\" action=\"").dropFirst()
      .compactMap { $0.components(separatedBy: "</form>").first }
    guard
      let form = forms.first(where: {
        $0.prefix { $0 != "\"" }.hasSuffix("/actions/" + action)
          && (containing.isEmpty || $0.contains(containing))
      })
    else { return nil }
    self.action = Self.plain(String(form.prefix { $0 != "\"" }))
    for part in form.components(separatedBy: "<").dropFirst() {
      let end = part.firstIndex(of: ">") ?? part.endIndex
      let tag = String(part[..<end])
      let content = end == part.endIndex ? "" : String(part[part.index(after: end)...])
      let name = Self.attribute("name", tag)
      if tag.hasPrefix("option"), let last = texts.indices.last, texts[last].name == choice {
        let value = Self.attribute("value", tag) ?? Self.plain(content)
        if tag.hasSuffix(" selected") || isUnset { texts[last].text = value }
        isUnset = false
      } else if tag.hasPrefix("select"), let name {
        texts.append((name, ""))
        choice = name
        isUnset = true
      } else if tag.hasPrefix("textarea"), let name {
        let text = content.hasPrefix("\n") ? String(content.dropFirst()) : content
        texts.append((name, Self.plain(text)))
      } else if tag.hasPrefix("input"), let name {
        let type = Self.attribute("type", tag)
        if type == "file" || type == "checkbox" && !tag.hasSuffix(" checked") { continue }
        texts.append((name, Self.attribute("value", tag) ?? ""))
      }
    }
  }

  /// The selection whose options are read, and whether no option was read yet.
  private var choice = ""
  private var isUnset = false

  private static func attribute(_ name: String, _ tag: String) -> String? {
    tag.components(separatedBy: " \(name)=\"").dropFirst().first
      .map { plain(String($0.prefix { $0 != "\"" })) }
  }

  static func plain(_ text: String) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// The text of an input; a new one is added.
  subscript(name: String) -> String? {
    get { texts.first { $0.name == name }?.text }
    set {
      let index = texts.firstIndex { $0.name == name }
      texts.removeAll { $0.name == name }
      if let newValue { texts.insert((name, newValue), at: index ?? texts.endIndex) }
    }
  }

  /// Enters a text for a field.
  mutating func enter(_ text: String, _ field: String, _ part: String = "0/text") {
    self["f/\(field)/\(part)"] = text
  }

  /// The request of the browser.
  func request(origin: String? = "http://localhost:8080", cookie: String? = nil) -> WebRequest {
    let boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
    var body = Data()
    for (name, text) in texts {
      body += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8)
      for byte in text.utf8 {
        if byte == UInt8(ascii: "\n") { body.append(UInt8(ascii: "\r")) }
        body.append(byte)
      }
      body += Data("\r\n".utf8)
    }
    for (name, fileName, content) in files {
      body += Data(
        ("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; "
          + "filename=\"\(fileName)\"\r\nContent-Type: application/octet-stream\r\n\r\n").utf8)
      body += content + Data("\r\n".utf8)
    }
    body += Data("--\(boundary)--\r\n".utf8)
    var request = WebRequest(
      "POST", action,
      headers: [
        "Host": "localhost:8080", "Content-Type": "multipart/form-data; boundary=\(boundary)",
      ], body: body)
    request.headers["Origin"] = origin
    request.headers["Cookie"] = cookie
    return request
  }
}

extension Answer {
  /// Whether the page has a text.
  func has(_ part: String) -> Bool { text.contains(part) }

  /// Whether the page is one of a request that did what it should.
  var isDone: Bool { has("<bdi>Request ") && !has("role=\"alert\"") }

  /// The problems that a page of the console tells, or its content.
  var problem: String {
    let content = text.components(separatedBy: "<main id=\"content\">").last ?? ""
    let problem = content.components(separatedBy: "class=\"problem\"").dropFirst().first
    return String((problem ?? content).prefix(600))
  }
}

extension WebClient {
  static let console = "/page/\(identifier)/development"

  /// Returns a page of the console.
  func page(_ target: String, cookie: String? = nil) async throws -> Answer {
    let path = target.hasPrefix("/") ? target : "\(Self.console)/\(target)"
    var request = WebRequest("GET", path, headers: ["Host": "localhost:8080"])
    request.headers["Cookie"] = cookie
    return try await send(request)
  }

  /// Asks for a page until it is as a reader sees it who waits: indexes are made, and records searched, behind
  /// it. Returns the last answer after a minute of pauses.
  func page(_ target: String, until isDone: (Answer) -> Bool) async throws -> Answer {
    var answer = try await page(target)
    for _ in 0..<1200 {
      if isDone(answer) { break }
      try await Task.sleep(for: .milliseconds(50))
      answer = try await page(target)
    }
    return answer
  }

  /// Returns the page that a sent form leads to, which shows the answer of the mock.
  func follow(_ answer: Answer) async throws -> Answer {
    guard let path = answer.response.headers["Location"] else { return answer }
    // A page with one line about a request has a link to it.
    guard path.contains("notice="), path.contains("number="),
      let query = path.split(separator: "?").last
    else { return try await page(path) }
    let items = query.split(separator: "&").filter {
      $0.hasPrefix("number=") || $0.hasPrefix("as=")
    }
    return try await page("requests?" + items.joined(separator: "&"))
  }
}
