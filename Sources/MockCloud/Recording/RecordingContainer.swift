import CloudInterface
import Foundation
import RecordModel

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
///   log` shows identities and links with `--json` only.
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
      throw RecordingError("the recording is in a file; read it with Recording(path:)")
    }
    return try Recording(data)
  }

  /// Closes the file. Calls that end later are not recorded.
  ///
  /// - Throws: the error because of which the recording is not complete.
  public func finish() throws { try recorder.finish() }
}

/// A database of a ``RecordingContainer``.
public typealias RecordingDatabase<Base: CloudContainer> = CallHandlingDatabase<
  RecordingContainer<Base>
>
