import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import Synchronization

/// Writes the lines of a recording.
final class Recorder: Sendable {
  static let kind = "recording"
  static let version = 1

  private let includesAssets: Bool
  private let state: Mutex<State>

  private struct State {
    let sink: any RecordingSink
    var begins = 0
    var ends = 0
    /// The contents that have been written.
    var digests: Set<String> = []
    var error: (any Error)?
    var isFinished = false
  }

  /// A call that has begun.
  struct Entry {
    let number: Int
    let call: CloudCall
    /// The request, or why it cannot be written; made before the call, when files still exist.
    let request: Result<JSONValue, any Error>
    let assets: AssetCollector
  }

  init(_ sink: sending any RecordingSink, includesAssets: Bool) {
    self.includesAssets = includesAssets
    state = Mutex(State(sink: sink))
  }

  convenience init(_ sink: sending MemorySink, container: String?, includesAssets: Bool) {
    sink.append(Self.header(container: container, includesAssets: includesAssets))
    self.init(sink, includesAssets: includesAssets)
  }

  static func header(container: String?, includesAssets: Bool) -> Data {
    var members = MemberWriter()
    members.add("kind", kind)
    members.add("version", .integer(version))
    members.add("container", container)
    members.add("includesAssets", .bool(includesAssets))
    return members.value.line
  }

  var data: Data? { state.withLock { ($0.sink as? MemorySink)?.data } }

  func begin(_ call: CloudCall) -> Entry {
    let number = state.withLock { state in
      state.begins += 1
      return state.begins
    }
    var assets = AssetCollector(keepsContents: includesAssets)
    let request = Result { try call.request.json(&assets) }
    return Entry(number: number, call: call, request: request, assets: assets)
  }

  func end(_ entry: Entry, _ result: Result<CloudResponse, any Error>) {
    var members = MemberWriter()
    members.add("begin", .integer(entry.number))
    members.add("database", entry.call.databaseScope?.rawValue)
    members.add("operation", entry.call.operation.rawValue)
    var answered = AssetCollector(keepsContents: includesAssets)
    var problem: (any Error)?
    do {
      members.add("request", try entry.request.get())
    } catch {
      problem = error
    }
    do {
      switch result {
      case .success(let response): members.add("response", try response.json(&answered))
      case .failure(let error): members.add("error", try ErrorJSON.json(error, &answered))
      }
    } catch {
      problem = error
    }
    if !answered.digests.isEmpty {
      members.add("contents", .array(answered.digests.map(JSONValue.string)))
    }
    members.add("notRecorded", problem.map { "\($0)" })
    let contents = entry.assets.contents.merging(answered.contents) { first, _ in first }
    write(members.value, contents)
  }

  private func write(_ call: JSONValue, _ contents: [String: Data]) {
    let assets = contents.sorted { $0.key < $1.key }.map { ($0.key, Self.line($0.key, $0.value)) }
    state.withLock { state in
      guard state.error == nil, !state.isFinished else { return }
      do {
        for (digest, line) in assets where !state.digests.contains(digest) {
          try state.sink.write(line)
          state.digests.insert(digest)
        }
        let opening: [JSONValue.Member] = [
          .init("kind", .string("call")), .init("number", .integer(state.ends + 1)),
        ]
        try state.sink.write(JSONValue.object(opening + (call.members ?? [])).line)
        state.ends += 1
      } catch {
        state.error = error
      }
    }
  }

  private static func line(_ digest: String, _ content: Data) -> Data {
    var members = MemberWriter()
    members.add("kind", "asset")
    members.add("sha256", digest)
    members.add("size", .integer(content.count))
    members.add("data", content.base64EncodedString())
    return members.value.line
  }

  func check() throws {
    if let error = state.withLock({ $0.error }) { throw error }
  }

  func finish() throws {
    try state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      try state.sink.close()
    }
    try check()
  }
}

extension JSONValue {
  /// The value with a line feed.
  fileprivate var line: Data { compactData + [0x0A] }
}

/// Where the lines of a recording go; used by one thread at a time.
protocol RecordingSink {
  func write(_ line: Data) throws
  func close() throws
}

final class MemorySink: RecordingSink {
  private(set) var data = Data()

  func append(_ line: Data) { data.append(line) }
  func write(_ line: Data) { append(line) }
  func close() {}
}

/// A file to which lines are appended, each with one call of the system.
final class FileSink: RecordingSink {
  private var descriptor: Int32

  /// Creates the file with its first line.
  ///
  /// - Throws: `SystemError`.
  init(path: String, header: Data, overwrite: Bool) throws {
    let file = try PartialFile(for: path)
    let failure = header.withUnsafeBytes { SystemCall.writeAll($0, to: file.descriptor) }
    guard failure == 0 else { throw SystemError(failure, "write the recording") }
    descriptor = SystemCall.retrying { fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw SystemError(errno, "open the recording") }
    do {
      try file.publish(replacing: overwrite)
    } catch {
      _ = Foundation.close(descriptor)
      descriptor = -1
      throw error
    }
  }

  deinit { try? close() }

  func write(_ line: Data) throws {
    let failure = line.withUnsafeBytes { SystemCall.writeAll($0, to: descriptor) }
    guard failure == 0 else { throw SystemError(failure, "write the recording") }
  }

  func close() throws {
    guard descriptor >= 0 else { return }
    defer { descriptor = -1 }
    guard Foundation.close(descriptor) == 0 else {
      throw SystemError(errno, "close the recording")
    }
  }
}
