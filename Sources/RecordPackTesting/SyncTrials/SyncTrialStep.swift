import CloudInterface
import RecordModel

/// A step of a trial: something that a person, a device or the server does.
///
/// The steps of a failed trial are printed as Swift code, for a test that repeats them.
public enum SyncTrialStep: Sendable, Hashable {
  /// A person edits items on a device.
  case edit(_ device: String, _ edit: SyncTrialEdit)
  /// A person adds many items on a device, named and filled by their numbers.
  ///
  /// - Parameter size: the number of characters of each item's text, if it is longer than the number.
  case createMany(_ device: String, count: Int, size: Int = 0)
  /// A device fetches and sends until it has nothing to do.
  case sync(_ device: String)
  /// All devices fetch and send until nothing is pending; then the trial checks them.
  case settle
  /// The app is killed, and started again.
  case relaunch(_ device: String)
  /// The app is killed, and started again with an earlier state of its engine.
  ///
  /// - Parameter state: the number of the state among those that the engine reported, from 0; the
  ///   engine of a lower number than 0 has no state.
  case relaunchWithState(_ device: String, _ state: Int)
  /// The app is not running from here until ``relaunch(_:)``.
  case quit(_ device: String)
  /// The app will be killed in a call of its delegate.
  ///
  /// - Parameters:
  ///   - call: the number of the call from now, from 1.
  ///   - before: whether the app is killed before it handles the call, and not after.
  case killAtCall(_ device: String, _ call: Int, before: Bool)
  /// The next write of the app fails while it handles fetched records.
  case failWrite(_ device: String)
  /// A person edits an item on a device while its next request to save records is under way.
  case editDuringSend(_ device: String, _ edit: SyncTrialEdit)
  /// Another device fetches and sends while a device's next request to save records is on its way, so
  /// that the request meets the changes of the other device.
  case race(_ device: String, _ other: String)
  /// The app is deleted from the device, and installed again.
  case reinstall(_ device: String)
  /// A person changes an item that the app has made itself, such as a list that each new account has. If
  /// there is none, nothing happens.
  case changeOwnItem(_ device: String, text: String)
  /// The next fetch of the changes of a zone fails, with an error that the engine does not handle.
  case failFetch(_ device: String)
  /// The next requests to save records fail.
  case failSaves(_ device: String, SyncTrialFault, times: Int = 1)
  /// The storage of a device's user is full from here until ``settle``. There is room then, and the app is
  /// started again.
  case fillStorage(_ device: String)
  /// The tokens of a device expire.
  case expireTokens(_ device: String)
  /// The user deletes the app's zones.
  case deleteZones(DeletedZone.Reason)
  /// The first user sets what the second user may do with the items of the first: change or only read
  /// them, or `none`, which ends the share. The second user has accepted the share.
  ///
  /// - Parameter duringSendOf: the device whose next request to save records is under way; nil for now.
  case share(ShareParticipant.Permission, duringSendOf: String? = nil)
  /// A device signs out.
  case signOut(_ device: String)
  /// A device signs in as a user, named `_first` or `_second`.
  case signIn(_ device: String, as: String)
}

/// An error of a request in a trial.
public enum SyncTrialFault: String, Sendable, Hashable {
  /// The server is overloaded, and asks to wait for half a minute.
  case serviceUnavailable
  /// The network fails before the server has the request.
  case networkFailure
  /// The network fails after the server has applied the request.
  case responseLost
  /// The zone is busy.
  case zoneBusy
  /// The first record of the request is rejected, and the others with it.
  case batchRequestFailed
  /// The records are rejected with `serverRecordChanged`, without the server's records. Source: an app's
  /// developer, superuser404notfound/Sodalite #45.
  case conflictWithoutRecord

  var fault: Fault {
    switch self {
    case .serviceUnavailable: .serviceUnavailable(retryAfter: 30)
    case .networkFailure: .networkFailure(.beforeServer)
    case .responseLost: .networkFailure(.afterServer)
    case .zoneBusy: .zoneBusy(retryAfter: 5)
    case .batchRequestFailed: .error(CloudError(.batchRequestFailed))
    case .conflictWithoutRecord: .error(CloudError(.serverRecordChanged))
    }
  }
}

extension [SyncTrialStep] {
  /// Whether the app is killed on a device that has not synced since an edit.
  var killsAfterEdits: Bool {
    var edited: Set<String> = []
    for step in self {
      switch step {
      case .edit(let device, _), .createMany(let device, _, _), .changeOwnItem(let device, _):
        edited.insert(device)
      case .sync(let device): edited.remove(device)
      case .settle: edited = []
      case .relaunch(let device), .relaunchWithState(let device, _), .quit(let device):
        if edited.contains(device) { return true }
      default: break
      }
    }
    return false
  }
}

extension SyncTrialStep {
  /// The edit that the step makes by itself.
  var edit: SyncTrialEdit? {
    if case .edit(_, let edit) = self { edit } else { nil }
  }

  /// The step as Swift code.
  var code: String {
    switch self {
    case .edit(let device, let edit): ".edit(\(quoted(device)), \(edit.code))"
    case .createMany(let device, let count, let size):
      ".createMany(\(quoted(device)), count: \(count), size: \(size))"
    case .sync(let device): ".sync(\(quoted(device)))"
    case .settle: ".settle"
    case .relaunch(let device): ".relaunch(\(quoted(device)))"
    case .relaunchWithState(let device, let state):
      ".relaunchWithState(\(quoted(device)), \(state))"
    case .quit(let device): ".quit(\(quoted(device)))"
    case .killAtCall(let device, let call, let before):
      ".killAtCall(\(quoted(device)), \(call), before: \(before))"
    case .failWrite(let device): ".failWrite(\(quoted(device)))"
    case .editDuringSend(let device, let edit):
      ".editDuringSend(\(quoted(device)), \(edit.code))"
    case .race(let device, let other): ".race(\(quoted(device)), \(quoted(other)))"
    case .reinstall(let device): ".reinstall(\(quoted(device)))"
    case .changeOwnItem(let device, let text):
      ".changeOwnItem(\(quoted(device)), text: \(quoted(text)))"
    case .failFetch(let device): ".failFetch(\(quoted(device)))"
    case .failSaves(let device, let fault, let times):
      ".failSaves(\(quoted(device)), .\(fault.rawValue), times: \(times))"
    case .fillStorage(let device): ".fillStorage(\(quoted(device)))"
    case .expireTokens(let device): ".expireTokens(\(quoted(device)))"
    case .deleteZones(let reason): ".deleteZones(.\(reason))"
    case .share(let permission, let device):
      ".share(.\(permission)\(device.map { ", duringSendOf: \(quoted($0))" } ?? ""))"
    case .signOut(let device): ".signOut(\(quoted(device)))"
    case .signIn(let device, let user): ".signIn(\(quoted(device)), as: \(quoted(user)))"
    }
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }
}
