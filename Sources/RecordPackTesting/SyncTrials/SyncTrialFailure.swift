import Foundation

/// A trial that an app failed.
///
/// `String(describing:)` of it is a text for people. It has the problem, the cause with the page that
/// explains it, and the last events of each device. The shortest history that leads to the problem is Swift
/// code for a test.
public struct SyncTrialFailure: Error, CustomStringConvertible, LocalizedError {
  /// The trial.
  public let trial: SyncTrial
  /// The seed of the trial; nil for steps that a test names.
  public let seed: UInt64?
  /// The shortest steps that were found with the same kind of problem.
  public let steps: [SyncTrialStep]
  let problem: Problem
  var evidence = SyncTrialEvidence()

  /// A broken promise to the app's user, in words.
  struct Problem: Error {
    enum Kind {
      /// Two devices show different items.
      case diverged
      /// No device shows an item, and nobody deleted it.
      case missing
      /// No edit of an item is left.
      case lost
      /// An item that was deleted is there again.
      case returned
      /// An item has changed, and nobody edited it.
      case changedByItself
      /// A new installation has added items of its own once more.
      case doubled
      /// A device shows items of another user.
      case foreign
      /// The engines do not come to an end.
      case pending
      /// A call of the app does not return.
      case endless
      /// The app called the engine where CloudKit ends the process.
      case forbiddenCall
      /// An engine began with a state that is not its own.
      case foreignState
      /// The app used CloudKit so that Apple's framework raises an exception.
      case exception
      /// The app has no engine.
      case noEngine
      /// The app's store threw an error.
      case threw
      /// The trial had no occasion to do harm.
      case notTried
    }

    /// Says whether two runs of a trial fail in the same way.
    let kind: Kind
    /// The name of the item.
    let item: String?
    let text: String

    init(_ kind: Kind, item: String? = nil, _ text: String) {
      self.kind = kind
      self.item = item
      self.text = text
    }
  }

  /// The problem, its cause, the last events, and the history.
  public var description: String {
    var lines = [
      "Sync trial '\(trial.rawValue)'\(seed.map { " with seed \($0)" } ?? ""): \(problem.text)"
    ]
    lines += evidence.records
    let causes = SyncTrialCause.causes(of: self)
    for cause in causes { lines += ["", "Cause: \(cause.text)", "Read \(cause.page)"] }
    if evidence.failsWithoutTrap {
      lines += ["", "The trial 'mixedEdits' fails, too. It has no trap: mend what it finds first."]
    } else if causes.isEmpty, !steps.isEmpty {
      lines += ["", "The history has no known trap: read the code for these steps."]
    }
    for device in evidence.devices where !device.events.isEmpty {
      lines += ["", "The last events on \(device.name):"]
      lines += device.events.map { "  " + $0.prefix(300) }
      let codes = device.errorCodes.sorted { $0.rawValue < $1.rawValue }.map(\.name)
      if !codes.isEmpty {
        lines.append("  Errors that the app was told: \(codes.joined(separator: ", "))")
      }
      if !device.requestErrors.isEmpty {
        lines.append(
          "  Failed requests of the app itself: \(device.requestErrors.joined(separator: ", "))")
      }
    }
    if !steps.isEmpty {
      lines += ["", "A test with the shortest history that was found:", ""]
      lines += ["  try await trials.replay(.\(trial.rawValue), ["]
      lines += steps.map { "    \($0.code)," } + ["  ])"]
    }
    return lines.joined(separator: "\n")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
