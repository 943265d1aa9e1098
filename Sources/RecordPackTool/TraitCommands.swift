import ArgumentParser
import CommandSupport

#if Fixtures
  import FixtureCommands
#endif
#if Pages
  import PageCommands
#endif

/// The commands that depend on a trait of the package.
struct TraitCommands {
  private(set) var root: [any ParsableCommand.Type] = []
  private(set) var schema: [any ParsableCommand.Type] = []
  /// The commands of the traits that this program was built without.
  private(set) var leftOut: [String] = []

  static let all = TraitCommands()

  private init() {
    #if Pages
      root += [ReportCommand.self, ServeCommand.self, OpenCommand.self]
      schema.append(SchemaDrawCommand.self)
    #else
      leftOut += ["report", "serve", "open", "schema draw"]
    #endif
    #if Fixtures
      root.append(FixtureCommand.self)
    #else
      leftOut.append("fixture")
    #endif
    #if SourceScan
      schema.append(SchemaScanCommand.self)
    #else
      leftOut.append("schema scan")
    #endif
  }
}
