import RecordModel

/// Takes what a dialect's reader finds, and hands it on.
final class ResponseSink {
  let zones = ZoneCollector()
  private let body: (ResponseItem) throws -> Void
  private var pages: [ResponsePage] = []
  private var unreadCount = 0

  /// The maximum number of parts that cannot be read: with more, it is another kind of file.
  private static let maxUnreadCount = 100_000

  /// An error that ends the reading, instead of being one part that cannot be read.
  struct Stop: Error {
    let error: any Error
  }

  init(_ body: @escaping (ResponseItem) throws -> Void) {
    self.body = body
  }

  /// - Throws: ``Stop``.
  func emit(_ item: ResponseItem) throws {
    do {
      if case .unread(let error) = item {
        unreadCount += 1
        guard unreadCount <= Self.maxUnreadCount else {
          throw RecordCodingError(
            offset: error.offset,
            found: "more than \(Self.maxUnreadCount) parts that cannot be read",
            expected: "responses of the selected dialect")
        }
      }
      try body(item)
    } catch {
      throw Stop(error: error)
    }
  }

  /// Runs `body`, and emits its error as a part that could not be read.
  ///
  /// - Parameter path: extends the error's path.
  /// - Throws: ``Stop``.
  func emittingErrors(at path: ResponsePath, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as RecordCodingError {
      try emit(.unread(path.extending(error)))
    }
  }

  func add(_ page: ResponsePage) { pages.append(page) }

  var summary: ResponseSummary {
    var summary = ResponseSummary()
    summary.pages = pages
    summary.recordZones = Self.sorted(zones.recordZones)
    summary.referencedZones = Self.sorted(zones.referencedZones)
    return summary
  }

  private static func sorted(_ zones: [ZoneID: OtherMembers]) -> [RecordZone] {
    zones.map { RecordZone(zoneID: $0.key, otherMembers: $0.value) }
      .sorted { $0.zoneID < $1.zoneID }
  }
}

/// Where a reader is, for errors.
struct ResponsePath {
  private enum Component {
    case member(String)
    case element(Int)
  }

  private var components: [Component] = []

  var count: Int { components.count }

  func member(_ name: String) -> Self { adding(.member(name)) }
  func element(_ index: Int) -> Self { adding(.element(index)) }

  private func adding(_ component: Component) -> Self {
    var path = self
    path.components.append(component)
    return path
  }

  /// Returns an error with its path extended by this one.
  func extending(_ error: RecordCodingError) -> RecordCodingError {
    components.reversed().reduce(error) { error, component in
      switch component {
      case .member(let name): error.inside(member: name)
      case .element(let index): error.inside(element: index)
      }
    }
  }
}
