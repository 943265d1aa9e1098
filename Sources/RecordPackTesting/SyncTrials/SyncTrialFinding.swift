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
  /// A device with its last events, one line each, and the codes of the errors that the app was told there.
  struct Device: Sendable {
    var name: String
    var events: [String]
    var errorCodes: Set<CloudError.Code>
  }

  var devices: [Device] = []
  /// The codes of the errors that the app was told on any device.
  var errorCodes: Set<CloudError.Code> { devices.reduce(into: []) { $0.formUnion($1.errorCodes) } }
  /// The server's records that have to do with the item, in words.
  var records: [String] = []
  /// Whether the steps fail with the gentle rules, too.
  var failsWithGentleRules = true
}
