import Foundation
import RecordPackTesting

// The code in the module's doc comments that takes objects of an app, compiled only.

private struct Note {
  var id: String
  var body: String
}

private final class NoteStore {
  private(set) var bodies: [String: String] = [:]

  init(folder: URL) {}
  func save(_ notes: [Note]) throws { for note in notes { bodies[note.id] = note.body } }
  func delete(_ id: String) throws { bodies[id] = nil }
}

private let noteTrials =
  SyncTrials { device in
    let store = NoteStore(folder: device.folder)
    return SyncTrialStore(
      set: { items in try store.save(items.map { Note(id: $0.name, body: $0.text) }) },
      delete: { try store.delete($0) },
      items: { store.bodies })
  }

private protocol SyncingApp {
  func sync() async throws
}

private func snapshot(of app: any SyncingApp, _ container: MockContainer) async throws {
  try await app.sync()
  expectSnapshot(container, matches: "Snapshots/AfterSync.recordpack")
}

// The file that stands in for OSLog, and what an app calls.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
private enum OSLog {
  /// A logger that logs nothing.
  public struct Logger: Sendable {
    public init() {}
    public init(subsystem: String, category: String) {}

    public func log(_ message: Message) {}
    public func log(level: Level, _ message: Message) {}
    public func trace(_ message: Message) {}
    public func debug(_ message: Message) {}
    public func info(_ message: Message) {}
    public func notice(_ message: Message) {}
    public func warning(_ message: Message) {}
    public func error(_ message: Message) {}
    public func critical(_ message: Message) {}
    public func fault(_ message: Message) {}

    public enum Level { case `default`, debug, info, error, fault }
    public enum Privacy { case auto, `public`, `private`, sensitive }

    public struct Message: ExpressibleByStringInterpolation {
      public init(stringLiteral value: String) {}
      public init(stringInterpolation: Interpolation) {}

      public struct Interpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation<Value>(
          _ value: @autoclosure () -> Value, privacy: Privacy = .auto
        ) {}
      }
    }
  }
}

private func log(_ error: any Error, to logger: OSLog.Logger) {
  logger.error("Cannot save \(1, privacy: .public) note: \(error)")
  logger.log(level: .debug, "saved")
}
