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
        recordpack migrate Old.recordpack --plan v2.yml -o New.recordpack
        recordpack migrate Old.recordpack --plan Schemas/Tact --dry-run
        recordpack migrate plan v1.ckdb v2.ckdb > v2.yml
      """,
    subcommands: [MigrateRunCommand.self, MigratePlanCommand.self],
    defaultSubcommand: MigrateRunCommand.self)
}
