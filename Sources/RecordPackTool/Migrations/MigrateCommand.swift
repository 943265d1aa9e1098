import ArgumentParser

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate bundles and containers between schema versions.",
    discussion: """
      A plan is a YAML file with steps. In a folder of plans and schemas named by
      version, migrate uses the shortest chain of plans. See also 'recordpack help
      migrate run' and 'recordpack help migrate plan'.

      EXAMPLES
        recordpack migrate Old.recordpack --plan Plans/v2.yml -o New.recordpack
        recordpack migrate Old.recordpack --plan Plans --dry-run
        recordpack migrate plan Plans/v1.ckdb Plans/v2.ckdb > plan.yml
      """,
    subcommands: [MigrateRunCommand.self, MigratePlanCommand.self],
    defaultSubcommand: MigrateRunCommand.self)
}
