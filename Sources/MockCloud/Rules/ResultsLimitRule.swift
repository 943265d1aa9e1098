import RecordModel

/// An answer has at most as many results as the server sends at once, and as the app asks for.
///
/// Source: Apple's documentation of `resultsLimit` of `CKDatabase`'s calls.
enum ResultsLimitRule {
  /// Returns the number of results of an answer.
  ///
  /// - Parameter wanted: The limit in the request; nil or 0 for as many as the server sends at once.
  static func limit(_ wanted: Int?, _ rules: ServerRules) throws(CloudError) -> Int {
    let maximum = max(1, rules.maxResults)
    guard let wanted, wanted != 0 else { return maximum }
    guard wanted > 0 else {
      throw CloudError(.invalidArguments, "a limit of \(wanted) results is not possible")
    }
    return min(wanted, maximum)
  }
}
