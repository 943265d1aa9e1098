import Foundation

/// How much tests of random sequences, of damage at every place and of killed processes do.
package enum TestAmount {
  /// Whether all of it is done, as in CI: the environment variable `RECORDPACK_ALL_TESTS` is set.
  ///
  /// The same variable adds the target `LongTests` to the package.
  package static let isFull = ProcessInfo.processInfo.environment["RECORDPACK_ALL_TESTS"] != nil

  /// Returns `full` if everything is done, `some` otherwise.
  package static func of<Amount>(_ full: Amount, some: Amount) -> Amount { isFull ? full : some }

  /// Returns all elements if everything is done, the first and each `part`th after it otherwise.
  package static func of<Element>(_ all: [Element], oneIn part: Int) -> [Element] {
    isFull ? all : stride(from: 0, to: all.count, by: part).map { all[$0] }
  }
}
