import RecordModel

/// Takes what a dialect's reader finds, and hands it on.
final class ResponseSink {
  /// The zones that are read.
  let zones = ZoneCollector()
  private let body: (ResponseItem) throws -> Void
  private var pages: [ResponsePage] = []
  /// The error that `body` threw.
  private(set) var failure: (any Error)?

  init(_ body: @escaping (ResponseItem) throws -> Void) {
    self.body = body
  }

  func emit(_ item: ResponseItem) throws(RecordCodingError) {
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
