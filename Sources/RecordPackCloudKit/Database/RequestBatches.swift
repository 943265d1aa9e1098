#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  /// Sends items in requests that CloudKit takes.
  ///
  /// - Source: Apple's documentation of `CKError.Code.limitExceeded`: a request has at most 400
  ///   items; divide one that is refused in half.
  struct RequestBatches<Item: Sendable> {
    /// The maximum number of items in a request.
    private let maxCount: Int
    /// Whether all items are one group, which is not divided.
    private let isOneGroup: Bool
    /// The requests that are still to be sent, each a list of groups.
    private var waiting: [[Group]] = []

    /// Items that stay in one request, with their places in the order of all items.
    private typealias Group = [(place: Int, item: Item)]

    /// Divides items into requests.
    ///
    /// - Parameters:
    ///   - items: The items, in the order in which they are sent.
    ///   - maxCount: The maximum number of items in a request.
    ///   - key: Returns what the items of a group have in common, which stay in one request.
    init(_ items: [Item], maxCount: Int = 400, groupedBy key: (Item) -> some Hashable) {
      self.maxCount = maxCount
      let groups = Dictionary(grouping: zip(0..., items).map { (place: $0, item: $1) }) {
        key($0.item)
      }
      isOneGroup = groups.count == 1
      var batch: [Group] = []
      var count = 0
      for group in groups.values.sorted(by: { $0[0].place < $1[0].place }) {
        if count + group.count > maxCount, !batch.isEmpty {
          waiting.append(batch)
          (batch, count) = ([], 0)
        }
        batch.append(group)
        count += group.count
      }
      if !batch.isEmpty { waiting.append(batch) }
    }

    private static func items(of groups: [Group]) -> [Item] {
      groups.flatMap(\.self).sorted { $0.place < $1.place }.map(\.item)
    }

    /// Sends the requests in order.
    ///
    /// - Parameters:
    ///   - isolation: The actor of the caller.
    ///   - send: Sends one request.
    ///   - fail: Called with the items that were not sent, and the error, if a request fails after
    ///     others have succeeded, and with one of several groups that is too large.
    /// - Throws: The error of the first request.
    mutating func send(
      isolation: isolated (any Actor)? = #isolation, _ send: ([Item]) async throws -> Void,
      orFail fail: ([Item], any Error) throws -> Void
    ) async throws {
      var hasSent = false
      while let batch = waiting.first {
        waiting.removeFirst()
        do {
          try await send(Self.items(of: batch))
          hasSent = true
        } catch CKError.limitExceeded where batch.count > 1 {
          let middle = batch.count / 2
          waiting.insert(contentsOf: [Array(batch[..<middle]), Array(batch[middle...])], at: 0)
        } catch let error as CKError where error.code == .limitExceeded && !isOneGroup {
          // The others are not too large.
          try fail(Self.items(of: batch), CloudError(error))
        } catch {
          let error = CloudError.converting(error)
          guard hasSent else { throw error }
          try fail(Self.items(of: batch + waiting.flatMap(\.self)), error)
          return
        }
      }
    }
  }
#endif
