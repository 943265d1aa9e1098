import CloudInterface
import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import Synchronization

/// A container around another one that writes every call and its result.
///
/// ```swift
/// let container = RecordingContainer(mock)
/// try await app(with: container).run()
/// let replaying = ReplayingContainer(try container.recording())
/// ```
///
/// A recording is JSON Lines: a header, and a line for each call, in the order in which they ended.
/// Records, zones, subscriptions and errors are as in bundles and Web Services. Calls, results and
/// errors pass unchanged; a recording that cannot be written does not fail the calls, but
/// ``finish()``.
///
/// - Important: A recording has all values of the records, the encrypted ones too, as a bundle has;
///   and the identities of users, and links to shares. Its file can be read by its owner only.
///   Messages and differences show neither encrypted values nor identities nor links; `recordpack
///   calls` shows identities and links with `--json` only.
public struct RecordingContainer<Base: CloudContainer>: CallHandlingContainer {
  /// The container around which this one is.
  public let base: Base
  private let recorder: Recorder

  /// Records in memory.
  ///
  /// - Parameters:
  ///   - base: the container that gets the calls.
  ///   - includesAssets: whether the contents of assets are recorded, too. Otherwise they are
  ///     referred to by their SHA-256 only.
  public init(_ base: Base, includesAssets: Bool = true) {
    self.base = base
    recorder = Recorder(
      MemorySink(), container: base.containerIdentifier, includesAssets: includesAssets)
  }

  /// Records in a file that only its owner can read. Each call is written as soon as it ends, so that
  /// a crash loses no call that had ended.
  ///
  /// - Parameters:
  ///   - base: the container that gets the calls.
  ///   - path: the file.
  ///   - overwrite: whether to replace an existing file.
  ///   - includesAssets: whether the contents of assets are recorded, too.
  /// - Throws: an error if the file cannot be created.
  public init(
    _ base: Base, path: String, overwrite: Bool = false, includesAssets: Bool = true
  ) throws {
    self.base = base
    let header = Recorder.header(
      container: base.containerIdentifier, includesAssets: includesAssets)
    recorder = Recorder(
      try FileSink(path: path, header: header, overwrite: overwrite),
      includesAssets: includesAssets)
  }

  /// The identifier of the other container.
  public var containerIdentifier: String? { base.containerIdentifier }

  /// Returns the changes of the account as the other container sends them. They are not recorded.
  public func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }

  /// Returns a file with the content of an asset, as the other container does; it is not recorded.
  public func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL {
    try await base.database(with: databaseScope).fileURL(for: asset)
  }

  /// Makes a call, and records it and its result.
  public func handle(_ call: CloudCall) async throws -> CloudResponse {
    let entry = recorder.begin(call)
    do {
      let response = try await base.send(call)
      recorder.end(entry, .success(response))
      return response
    } catch {
      recorder.end(entry, .failure(error))
      throw error
    }
  }

  /// The recording so far, as JSON Lines; nil for one in a file.
  public var data: Data? { recorder.data }

  /// Reads the recording so far, which is in memory.
  ///
  /// - Throws: what ``finish()`` throws; ``RecordingError`` for a recording in a file, which
  ///   ``Recording/init(path:)`` reads.
  public func recording() throws -> Recording {
    try recorder.check()
    guard let data else {
      throw RecordingError(
        .unreadable, "the recording is in a file; read it with Recording(path:)")
    }
    return try Recording(data)
  }

  /// Closes the file. Calls that end later are not recorded.
  ///
  /// - Throws: the error because of which the recording is not complete.
  public func finish() throws { try recorder.finish() }
}

/// A database of a ``RecordingContainer``.
package typealias RecordingDatabase<Base: CloudContainer> = CallHandlingDatabase<
  RecordingContainer<Base>
>

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
    var members = JSONObjectWriter()
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
    var members = JSONObjectWriter()
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
    var members = JSONObjectWriter()
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

/// A destination for the lines of a recording; used by one thread at a time.
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
