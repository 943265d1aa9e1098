import RecordModel

/// The problem of a run, and what was seen until then.
struct SyncTrialFinding: Sendable {
  var problem: SyncTrialFailure.Problem
  /// The number of steps up to the problem.
  var stepCount: Int
  var evidence: SyncTrialEvidence
}

/// The events, errors and records of a run until its problem.
struct SyncTrialEvidence: Sendable {
  /// The last events of each device, one line each.
  var events: [(device: String, lines: [String])] = []
  /// The codes of the errors that the app was told.
  var errorCodes: Set<CloudError.Code> = []
  /// The server's records that have to do with the item, in words.
  var records: [String] = []
  /// Whether the steps fail with the gentle rules, too.
  var failsWithGentleRules = true
}
