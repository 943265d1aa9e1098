import Foundation

/// A trial that an app failed.
///
/// `String(describing:)` of it is a text for people: the problem, the shortest history that leads to
/// it, as Swift code for a test, and the page that explains it.
public struct SyncTrialFailure: Error, CustomStringConvertible, LocalizedError {
  /// The trial.
  public let trial: SyncTrial
  /// The seed of the trial; nil for steps that a test names.
  public let seed: UInt64?
  /// The shortest steps that were found with the same kind of problem.
  public let steps: [SyncTrialStep]
  let problem: Problem

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
      /// A device shows items of another user.
      case foreign
      /// The engines do not come to an end.
      case pending
      /// The app gave an engine more pending changes than it can store at each change.
      case tooManyChanges
      /// The app called the engine where CloudKit ends the process.
      case forbiddenCall
      /// The app's store threw an error.
      case threw
      /// The trial had no occasion to do harm.
      case notTried
    }

    /// Says whether two runs of a trial fail in the same way.
    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) {
      self.kind = kind
      self.text = text
    }
  }

  /// The problem, the history and the page.
  public var description: String {
    var lines = [
      "Sync trial '\(trial.rawValue)'\(seed.map { " with seed \($0)" } ?? ""): \(problem.text)", "",
      "\(summary)", "Read documentation/recordpacktesting/\(article.lowercased()).",
    ]
    if !steps.isEmpty {
      lines += ["", "A test with the shortest history that was found:", ""]
      lines += ["  try await trials.replay(.\(trial.rawValue), ["]
      lines += steps.map { "    \($0.code)," } + ["  ])"]
    }
    return lines.joined(separator: "\n")
  }

  private var isForbiddenCall: Bool { problem.kind == .forbiddenCall }

  private var summary: String {
    isForbiddenCall ? "The app called the engine from its delegate." : trial.summary
  }

  private var article: String { isForbiddenCall ? "CallsFromTheDelegate" : trial.article }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
