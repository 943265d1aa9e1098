import RecordModel

/// What will happen to a call, decided when it begins.
struct FaultPlan: Sendable {
  enum Step: Sendable {
    case fail(CloudError)
    case wait(seconds: Double)
    case hold(FaultGate)
    case run(@Sendable (CloudCall) async throws -> Void)
    case crash
  }

  /// The number of the call, from 1.
  let number: Int
  var before: [Step] = []
  var after: [Step] = []
  /// The errors of items of a request that changes something.
  var itemErrors: [CloudItem: CloudError] = [:]
  /// The faults of a schedule that are decided when the response is known.
  var ofResponse: [Fault] = []
  var crashesAfterReturn = false
  /// Whether the call does not go on after these steps.
  private(set) var isFinal = false

  init(number: Int) { self.number = number }

  mutating func add(_ step: Step, at point: CallPoint) {
    switch point {
    case .beforeServer: before.append(step)
    case .afterServer: after.append(step)
    }
    switch step {
    case .fail, .crash: isFinal = true
    case .wait, .hold, .run: break
    }
  }

  mutating func crash(at point: CrashPoint) {
    switch point {
    case .beforeServer: add(.crash, at: .beforeServer)
    case .afterServer: add(.crash, at: .afterServer)
    case .afterReturn: crashesAfterReturn = true
    }
  }

  /// Lets items of a request fail, and with them those that an atomic request would have saved or
  /// deleted in the same zones.
  mutating func fail(_ items: Set<CloudItem>, of request: CloudRequest, with error: CloudError) {
    for item in items { itemErrors[item] = error }
    guard case .modifyRecords(_, _, _, atomically: true) = request else { return }
    let zones = Set(items.compactMap(\.zoneID)).filter { !$0.isDefault }
    for item in request.items where itemErrors[item] == nil {
      guard let zoneID = item.zoneID, zones.contains(zoneID) else { continue }
      itemErrors[item] = CloudError(.batchRequestFailed).inCloudKitsWords
    }
  }
}
