import Foundation
import RecordCoding
import RecordPlatform

/// Reads the lines of a recording one after the other.
struct RecordingReader {
  private let data: Data
  private var position: Data.Index
  private var line = 0
  private var callCount = 0
  private var contents: [String: Data] = [:]

  init(_ data: Data) {
    self.data = data
    position = data.startIndex
  }

  /// Reads the first line.
  ///
  /// - Returns: the identifier of the container.
  mutating func header() throws -> String? {
    guard let json = try parseLine() else {
      throw RecordingError(.unreadable, "the recording is empty")
    }
    return try inLine {
      var members = try JSONObjectReader(json, "the header of a recording")
      let kind = try members.required("kind", String.self)
      guard kind == Recorder.kind else {
        throw json.error(
          found: "the kind \(RecordCodingError.quoted(kind))", expected: "\"\(Recorder.kind)\"")
      }
      let version = try members.required("version", Int64.self)
      guard version == Recorder.version else {
        throw json.error(
          found: "version \(version) of the format", expected: "version \(Recorder.version)")
      }
      return try members.value("container")
    }
  }

  /// Reads up to the next call; nil at the end.
  mutating func next() throws -> RecordedCall? {
    while let json = try parseLine() {
      let isAsset = try inLine {
        var members = try JSONObjectReader(json, "a line of a recording")
        let kind = try members.required("kind", String.self)
        guard kind == "asset" || kind == "call" else {
          throw json.error(
            found: "the kind \(RecordCodingError.quoted(kind))", expected: "\"call\" or \"asset\"")
        }
        return kind == "asset"
      }
      if isAsset {
        let (digest, content) = try inLine { try Self.asset(json) }
        contents[digest] = content
      } else {
        let (contents, number) = (contents, callCount + 1)
        let call = try inLine { try RecordedCall(json, number: number, contents) }
        callCount = number
        return call
      }
    }
    return nil
  }

  private mutating func parseLine() throws -> JSONValue? {
    guard position < data.endIndex else { return nil }
    line += 1
    let end = data[position...].firstIndex(of: 0x0A)
    let text = data[position..<(end ?? data.endIndex)]
    position = end.map { data.index(after: $0) } ?? data.endIndex
    do {
      return try text.withUnsafeBytes { try JSONParser.parse($0) }
    } catch let error as RecordCodingError where end == nil {
      throw RecordingError(
        .unreadable, "the recording ends in the middle of this line (\(error))", line: line)
    } catch {
      throw RecordingError(.unreadable, "\(error)", line: line)
    }
  }

  private func inLine<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as RecordCodingError {
      throw RecordingError(.unreadable, "\(error)", line: line)
    }
  }

  private static func asset(_ json: JSONValue) throws -> (String, Data) {
    var members = try JSONObjectReader(json, "the content of an asset")
    let digest = try members.required("sha256", String.self)
    let content = try members.required("data", Data.self)
    let actual = content.withUnsafeBytes { SHA256Digest(of: $0) }
    guard "\(actual)" == digest else {
      throw json.error(
        found: "content with the SHA-256 \(actual)", expected: "content with that of the line")
    }
    return (digest, content)
  }
}

extension RecordedCall {
  /// - Parameter contents: the contents of assets that the recording has so far.
  fileprivate init(_ json: JSONValue, number: Int, _ contents: [String: Data]) throws {
    var members = try JSONObjectReader(json, "a call")
    guard try members.integer("number") == number else {
      throw json.error(found: "another number of a call", expected: "the number \(number)")
    }
    guard let begin = try members.integer("begin") else { throw members.missing("begin") }
    let operation = try members.required("operation", CloudOperation.self)
    let scope = try members.databaseScope()
    let problem = try members.value("notRecorded", String.self)
    let request = try members.read("request") { try CloudRequest(json: $0, of: operation) }
    if request == nil, problem == nil { throw members.missing("request") }
    var used: [String: Data] = [:]
    for digest in try members.value("contents", [String].self) ?? [] {
      used[digest] = contents[digest]
    }
    let error = try members.read("error") { try ErrorJSON.error($0, used) }
    let response = try members.read("response") { try CloudResponse(json: $0, used) }
    if error == nil, response == nil, problem == nil { throw members.missing("response") }
    self.init(
      number: number, begin: begin, databaseScope: scope, operation: operation,
      call: request.map { CloudCall($0, in: scope) },
      result: error.map { .failure($0) } ?? response.map { .success($0) }, problem: problem,
      json: json)
  }
}
