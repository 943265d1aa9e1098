import ArgumentParser

/// The root command, `recordpack`.
@main
struct RecordPackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordpack",
    abstract: "Keeps CloudKit containers in files.",
    discussion: """
      A container is an SQLite file that behaves like a CloudKit container. A
      bundle (.recordpack) is a container in one compressed file, which zstd and
      any JSON tool can open. Where a SOURCE is asked for, either will do; - is
      standard input or output.

      EXAMPLES
        recordpack export Tact.sqlite Tact.recordpack
        recordpack verify Tact.recordpack
        recordpack import Tact.recordpack Copy.sqlite
        recordpack diff Tact.sqlite Copy.sqlite

      EXIT CODES
        0    done
        1    something was found: damage (verify), a difference (diff), no
             such record (show), records that do not fit the schema (validate,
             import and export with --validate), findings (schema); or some of
             it is lost: errors among responses (import), damage (recover)
        2    wrong usage, unreadable input, or work that failed; nothing
             was changed
        130  interrupted (Ctrl-C); what was changed until then is said
      """,
    version: recordPackVersion,
    subcommands: [
      ExportCommand.self, ImportCommand.self, InspectCommand.self, ListCommand.self,
      ShowCommand.self, DiffCommand.self, VerifyCommand.self, RecoverCommand.self,
      ValidateCommand.self, SchemaCommand.self, MigrateCommand.self,
    ])

  static func main() {
    StandardOutput.reserveDescriptors()
    Interruption.install()
    do {
      let arguments = CommandNames.helpFirst(Array(CommandLine.arguments.dropFirst()))
      try CommandNames.check(arguments)
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      ErrorReport.exit(for: error)
    }
  }
}
