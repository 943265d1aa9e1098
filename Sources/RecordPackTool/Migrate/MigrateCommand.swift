import ArgumentParser

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Carries bundles and containers from one schema version to the next.",
    discussion: """
      A plan is a YAML file with steps; a folder of plans and schemas named by
      version is a chain, through which the shortest way is taken.
      'recordpack help migrate run' and 'recordpack help migrate plan' say more.

      EXAMPLES
        recordpack migrate Old.recordpack --plan Plans/v2.yml -o New.recordpack
        recordpack migrate Old.recordpack --plan Plans --dry-run
        recordpack migrate plan Plans/v1.ckdb Plans/v2.ckdb > plan.yml
      """,
    subcommands: [MigrateRunCommand.self, MigratePlanCommand.self],
    defaultSubcommand: MigrateRunCommand.self)
}
