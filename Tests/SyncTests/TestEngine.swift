import Foundation
import RecordPack
import Synchronization

let notes = ZoneID(zoneName: "Notes")

/// A sync engine of notes, each a set of words. Every word is added once, by one device.
protocol TestEngine: Sendable {
  /// Creates the engine of an app that was started with what the device has stored.
  init(_ database: any CloudDatabase, _ storage: DeviceStorage) throws

  /// Adds a word to a note, or creates the note with it. The word is stored when the call returns.
  func add(_ word: String, to note: String) async throws
  func delete(_ note: String) async throws
  func sync() async throws

  /// The words of each note, as the device has them.
  func contents() async -> [String: Set<String>]
}

/// The storage of a device, which survives the app.
final class DeviceStorage: Sendable {
  private let data = Mutex<Data?>(nil)
  private let clock: ManualClock
  /// Throws if the app was killed.
  private let checkCrash: @Sendable () throws -> Void

  init(_ clock: ManualClock, checkCrash: @escaping @Sendable () throws -> Void) {
    self.clock = clock
    self.checkCrash = checkCrash
  }

  /// The storage as the app finds it that is started after a crash.
  init(_ other: DeviceStorage, checkCrash: @escaping @Sendable () throws -> Void) {
    clock = other.clock
    self.checkCrash = checkCrash
    let stored = other.data.withLock { $0 }
    data.withLock { $0 = stored }
  }

  func load<State: Decodable>(_: State.Type) throws -> State? {
    try data.withLock { $0 }.map { try JSONDecoder().decode(State.self, from: $0) }
  }

  func store(_ state: some Encodable) throws {
    try checkCrash()
    let encoded = try JSONEncoder().encode(state)
    data.withLock { $0 = encoded }
  }

  func wait(_ seconds: Double) async throws {
    try checkCrash()
    clock.advance(by: .seconds(seconds))
  }
}

extension DraftRecord {
  /// The words of a note.
  var words: [String] {
    get { self["words"] ?? [] }
    set { self["words"] = newValue.sorted() }
  }
}

/// Returns all words of both sides.
@Sendable func union(_ conflict: FieldConflict) -> RecordValue? {
  guard case .stringList(let mine)? = conflict.mine, case .stringList(let theirs)? = conflict.theirs
  else { return conflict.mine ?? conflict.theirs }
  return .stringList(Set(mine + theirs).sorted())
}
