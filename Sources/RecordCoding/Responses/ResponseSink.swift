import RecordModel

/// Takes what a dialect's reader finds, and hands it on.
final class ResponseSink {
  /// The zones that are read.
  let zones = ZoneCollector()
  private let body: (ResponseItem) throws -> Void
  private var pages: [ResponsePage] = []
  /// The error that `body` threw.
  private(set) var failure: (any Error)?
  private var unreadCount = 0

  /// The maximum number of parts that cannot be read: with more, it is another kind of file.
  private static let maximumUnreadCount = 100_000

  /// Whether an error ends the reading, instead of being one part that cannot be read.
  var mustStop: Bool { failure != nil || unreadCount > Self.maximumUnreadCount }

  init(_ body: @escaping (ResponseItem) throws -> Void) {
    self.body = body
  }

  func emit(_ item: ResponseItem) throws(RecordCodingError) {
    if case .unread(let error) = item {
      unreadCount += 1
      guard !mustStop else {
        throw RecordCodingError(
          offset: error.offset,
          found: "more than \(Self.maximumUnreadCount) parts that cannot be read",
          expected: "responses of the dialect that was named")
      }
    }
    do {
      try body(item)
    } catch {
      failure = error
      throw RecordCodingError(found: "an item that was refused", expected: "none")
    }
  }

  /// Emits what `make` returns, or what it throws as a part that could not be read.
  ///
  /// - Parameter place: extends the error's path.
  func emit(
    _ make: () throws(RecordCodingError) -> ResponseItem,
    place: (RecordCodingError) -> RecordCodingError = { $0 }
  ) throws(RecordCodingError) {
    let item: ResponseItem
    do throws(RecordCodingError) {
      item = try make()
    } catch {
      return try emit(.unread(place(error)))
    }
    try emit(item)
  }

  func add(_ page: ResponsePage) { pages.append(page) }

  var summary: ResponseSummary {
    var summary = ResponseSummary()
    summary.pages = pages
    summary.recordZones = zones.zones(zones.recordZones)
    summary.referencedZones = zones.zones(zones.referencedZones)
    return summary
  }
}
