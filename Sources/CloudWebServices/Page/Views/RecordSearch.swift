import RecordModel
import RecordStore
import Synchronization

/// A filter of many records, which goes on while its page is looked at: the results of a page, and the
/// number of all records that match.
final class RecordSearch: Sendable {
  /// The results so far.
  struct Progress: Sendable {
    /// The results of the page.
    var results: [QueryPage.Item] = []
    /// The place of the last of the results, if there are more.
    var last: QueryPosition?
    /// The number of records that match.
    var count = 0
    /// The number of records that were searched.
    var searched = 0
    var isDone = false
    var error: (any Error)?
    /// The version of the contents when the search began.
    fileprivate(set) var version: ContentVersion?

    /// The results that can be read.
    var records: [ResultRecord] { results.compactMap { try? $0.result.get() } }
  }

  /// The number of records that are searched at a time: others wait for a container in memory meanwhile.
  static let step = 500

  private struct State {
    var progress = Progress()
    var isRunning = false
    var lastAsked = ContinuousClock.now
    /// When the next search may begin. While records are saved again and again, searches would occupy a
    /// processor.
    var next = ContinuousClock.now
  }

  let unjudged = UnjudgedRecords()
  private let state = Mutex(State())

  /// The search ends if no page asks for its results for this long.
  private static let patience = Duration.seconds(8)

  /// Returns the progress, and begins the search if it has not begun or the container has changed.
  ///
  /// - Parameters:
  ///   - start: the place where the page begins.
  ///   - counts: whether the search goes on when the page is full.
  func progress(
    of listing: RecordListing, _ match: QueryMatch, from start: QueryPosition?, counts: Bool
  ) throws -> Progress {
    let context = listing.context
    let version = try context.version()
    let begins = state.withLock { state in
      state.lastAsked = .now
      let begins =
        !state.isRunning
        && (!state.progress.isDone || state.progress.version != version && state.next <= .now)
      if begins { state.isRunning = true }
      return begins
    }
    if begins {
      context.handler.background.begin(on: context.store) {
        self.run(listing, match, from: start, counts: counts, version)
      }
    }
    return state.withLock { $0.progress }
  }

  private func run(
    _ listing: RecordListing, _ match: QueryMatch, from start: QueryPosition?, counts: Bool,
    _ version: ContentVersion
  ) {
    var found = Progress()
    found.version = version
    let begun = ContinuousClock.now
    // The results of a search before stay until there are all of this one.
    let isFirst = state.withLock { $0.progress.version == nil }
    do {
      try listing.makeIndex(for: match)
      var (after, isFull) = (start, false)
      repeat {
        let limit = isFull ? Self.step : listing.pageSize - found.results.count
        let page = try listing.page(match, after: after, limit: limit, maxSearched: Self.step)
        if !isFull {
          found.results += page.results
          isFull = found.results.count == listing.pageSize
          found.last = isFull ? page.last : nil
        }
        found.count += page.results.count
        found.searched += page.isCut ? Self.step : page.results.count
        after = page.last
        if isFirst { state.withLock { $0.progress = found } }
        let isAsked = state.withLock { $0.lastAsked.duration(to: .now) < Self.patience }
        guard isAsked, !listing.context.handler.background.isEnding else {
          return state.withLock { $0.isRunning = false }
        }
      } while after != nil && (counts || !isFull)
    } catch {
      found.error = error
    }
    found.isDone = true
    state.withLock {
      $0.progress = found
      $0.isRunning = false
      $0.next = ContinuousClock.now.advanced(by: begun.duration(to: .now) * 2)
    }
  }
}
