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
    /// Whether the page has all its results.
    var isFull = false
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
  ///   - version: the version of the contents.
  ///   - start: the place where the page begins.
  ///   - limit: the number of results of the page.
  ///   - counts: whether the search goes on when the page is full.
  ///   - makeIndex: makes the index that narrows the search down.
  ///   - next: returns the next results after a position, at most so many.
  ///   - work: carries out the search.
  ///   - store: the container.
  func progress(
    of version: ContentVersion, from start: QueryPosition?, limit: Int, counts: Bool,
    makeIndex: @escaping @Sendable () throws -> Void,
    next: @escaping @Sendable (QueryPosition?, _ limit: Int) throws -> QueryPage,
    by work: BackgroundWork, on store: ContainerStore
  ) -> Progress {
    let begins = state.withLock { state in
      state.lastAsked = .now
      let begins =
        !state.isRunning
        && (!state.progress.isDone || state.progress.version != version && state.next <= .now)
      if begins { state.isRunning = true }
      return begins
    }
    if begins {
      work.begin(on: store) { self.run(version, start, limit, counts, makeIndex, next, work) }
    }
    return state.withLock { $0.progress }
  }

  private func run(
    _ version: ContentVersion, _ start: QueryPosition?, _ limit: Int, _ counts: Bool,
    _ makeIndex: () throws -> Void, _ next: (QueryPosition?, Int) throws -> QueryPage,
    _ work: BackgroundWork
  ) {
    var found = Progress()
    found.version = version
    let begun = ContinuousClock.now
    // The results of a search before stay until there are all of this one.
    let isFirst = state.withLock { $0.progress.version == nil }
    do {
      try makeIndex()
      var after = start
      repeat {
        let page = try next(after, found.isFull ? Self.step : limit - found.results.count)
        if !found.isFull {
          found.results += page.results
          found.isFull = found.results.count == limit
          found.last = found.isFull ? page.last : nil
        }
        found.count += page.results.count
        found.searched += page.isCut ? Self.step : page.results.count
        after = page.last
        if isFirst { state.withLock { $0.progress = found } }
        let isAsked = state.withLock { $0.lastAsked.duration(to: .now) < Self.patience }
        guard isAsked, !work.isEnding else {
          return state.withLock { $0.isRunning = false }
        }
      } while after != nil && (counts || !found.isFull)
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
