import ArgumentParser
import RecordSchema

/// How a schema that is an app's model is read.
struct ModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read a SCHEMA as this kind of model: coredata, swiftdata or sqlitedata. (default: what it has)",
      valueName: "kind"))
  var model: MirroredModel.Kind?

  @Option(
    help: ArgumentHelp(
      "The configuration of a Core Data model whose store is mirrored. (default: all entities)",
      valueName: "name"))
  var modelConfiguration: String?

  init() {}

  private init(model: MirroredModel.Kind?) {
    self.model = model
    modelConfiguration = nil
  }

  /// The values for commands without these options. Those of `init()` can be read only after parsing.
  static var standard: ModelOptions { ModelOptions(model: nil) }
}

extension MirroredModel.Kind: ExpressibleByArgument {}
