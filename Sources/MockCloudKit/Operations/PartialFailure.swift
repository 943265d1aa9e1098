import Foundation

/// The errors of single items of an operation.
///
/// They do not reach the block with the result of the operation; the old block of the end gets them as
/// `partialFailure`. Sources: Apple Developer Forums 708758; the headers of the operations.
struct PartialFailure {
  static let modifiedRecords = "Failed to modify some records"

  private let message: String?
  private var errors: [AnyHashable: any Error] = [:]

  /// The errors among the results of several requests.
  ///
  /// - Parameter message: CloudKit's words, where they are known.
  init<each ID, each Success>(
    _ results: repeat OperationResults<each ID, each Success>, message: String? = nil
  ) {
    self.message = message
    for results in repeat each results {
      for case (let id, .failure(let error)) in results.results { add(error, of: id) }
    }
  }

  mutating func add(_ error: any Error, of item: some Hashable) { errors[item] = error }

  /// The error for the old block; nil if all items have succeeded.
  var error: CKError? {
    guard !errors.isEmpty else { return nil }
    var userInfo: [String: Any] = [CKPartialErrorsByItemIDKey: errors]
    if let message { userInfo[NSLocalizedDescriptionKey] = message }
    return CKError(.partialFailure, userInfo: userInfo)
  }
}

/// The results of the items of an operation, in the order of the request.
struct OperationResults<ID: Hashable & Sendable, Success: Sendable>: Sendable {
  let results: [(id: ID, result: Result<Success, any Error>)]

  /// - Parameter ids: The items of the request; one that is there twice has one result.
  init(_ ids: [ID], _ results: [ID: Result<Success, any Error>]) {
    var seen: Set<ID> = []
    self.results = ids.compactMap { id in
      guard seen.insert(id).inserted, let result = results[id] else { return nil }
      return (id, result)
    }
  }

  /// The results of a request for all items.
  init(all items: [Success], _ id: (Success) -> ID) {
    self.init(
      items.map(id), Dictionary(uniqueKeysWithValues: items.map { (id($0), .success($0)) }))
  }

  var successes: [(id: ID, value: Success)] {
    results.compactMap { id, result in
      if case .success(let value) = result { (id, value) } else { nil }
    }
  }

  var successesByID: [ID: Success] {
    Dictionary(uniqueKeysWithValues: successes.map { ($0.id, $0.value) })
  }
}

extension Result {
  var successValue: Success? {
    if case .success(let value) = self { value } else { nil }
  }

  var failureValue: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
