import CloudInterface

/// A container that makes the engines of the code that uses it, such as a device of a sync trial.
package protocol SyncEngineMaker {
  /// Makes an engine, in place of one with a clock of its own.
  func makeEngine(_ configuration: SyncEngineConfiguration) -> MockSyncEngine
}
