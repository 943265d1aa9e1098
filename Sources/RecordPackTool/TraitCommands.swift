import ArgumentParser
import CommandSupport

#if Changes
  import ChangeCommands
#endif
#if Fixtures
  import FixtureCommands
#endif
#if Pages
  import PageCommands
#endif
#if Schemas
  import SchemaCommands
#endif

/// The commands that depend on a trait of the package.
struct TraitCommands {
  /// Those that change a container.
  private(set) var changes: [any ParsableCommand.Type] = []
  private(set) var schemas: [any ParsableCommand.Type] = []
  private(set) var others: [any ParsableCommand.Type] = []
  /// The commands of the traits that this program was built without.
  private(set) var leftOut: [String] = []

  static let all = TraitCommands()

  private init() {
    #if Changes
      changes = [PutCommand.self, DeleteCommand.self]
    #else
      leftOut += ["put", "delete"]
    #endif
    #if Schemas
      schemas = [SchemaCommand.self, DeployCommand.self]
    #else
      leftOut += ["schema", "deploy"]
    #endif
    #if Pages
      others += [ReportCommand.self, ServeCommand.self, OpenCommand.self]
    #else
      leftOut += ["report", "serve", "open", "schema draw"]
    #endif
    #if Fixtures
      others.append(FixtureCommand.self)
    #else
      leftOut.append("fixture")
    #endif
    #if !SourceScan
      leftOut.append("schema scan")
    #endif
  }
}
