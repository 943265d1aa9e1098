import RecordModel

/// A query by very many references fails on the server, if that is asked for.
///
/// Source: the Tact blog on reference queries. See ``QueryRules/maxReferenceValues``.
enum ReferenceQueryRule {
  static func check(_ filter: QueryFilter, _ rules: QueryRules) throws(CloudError) {
    guard let most = rules.maxReferenceValues, filter.fieldValue.references.count > most,
      filter.fieldValue.elements != nil
    else { return }
    switch rules.referenceFailure {
    case .serverRejectedRequest:
      throw CloudError(.serverRejectedRequest).inCloudKitsWords
    case .serviceUnavailable: throw CloudError(.serviceUnavailable).inCloudKitsWords
    case .requestRateLimited(let seconds):
      throw CloudError(
        .requestRateLimited, "Request failed with http status code 429", retryAfter: seconds)
    }
  }
}
