import ArgumentParser

/// The root command, `recordpack`.
@main
struct RecordPackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordpack",
    abstract: "Export, import, check and migrate CloudKit containers offline.",
    discussion: """
      A container is an SQLite file that behaves like a CloudKit container. A
      bundle (.recordpack) is a container in one compressed file, which zstd and
      any JSON tool can read. A SOURCE is either of them; - is a bundle on standard
      input, or standard output. A container is named by its file.

      EXAMPLES
        recordpack export Tact.sqlite -o Tact.recordpack
        recordpack verify Tact.recordpack
        recordpack import Tact.recordpack Copy.sqlite
        recordpack diff Tact.sqlite Copy.sqlite

      COMPLETION
        recordpack --generate-completion-script bash (zsh, fish) prints a script:
        ~/.local/share/bash-completion/completions/recordpack, _recordpack in $fpath,
        or ~/.config/fish/completions/recordpack.fish

      EXIT CODES
        0    success
        1    findings: damage (verify, calls, changes, and what reads a damaged
             container: export, query, show, inspect, diff); a difference
             (diff); no such record (show, and query with --name); records for
             which a function of --where has no value; records that do not match
             the schema (validate; import, export and put with --validate);
             findings (schema); failures (migrate --dry-run). Or losses: errors
             among responses (import, schema infer); values that a dialect
             cannot express (export); damage (recover)
        2    wrong usage, unreadable input, or a failure; nothing was changed
        130  interrupted (Ctrl-C); a message says whether anything was changed.
             serve and open end with 0 then
      """,
    version: recordPackVersion,
    groupedSubcommands: [
      CommandGroup(
        name: "Archives",
        subcommands: [
          ExportCommand.self, ImportCommand.self, InspectCommand.self, DiffCommand.self,
          VerifyCommand.self, RecoverCommand.self, ReportCommand.self,
        ]),
      CommandGroup(
        name: "Records",
        subcommands: [
          QueryCommand.self, ShowCommand.self, PutCommand.self, DeleteCommand.self,
          ChangesCommand.self,
        ]),
      CommandGroup(
        name: "Schemas",
        subcommands: [SchemaCommand.self, ValidateCommand.self]),
      CommandGroup(name: "Migrations", subcommands: [MigrateCommand.self]),
      CommandGroup(name: "Fixtures", subcommands: [FixtureCommand.self]),
      CommandGroup(
        name: "Server", subcommands: [ServeCommand.self, OpenCommand.self, CallsCommand.self]),
    ])

  static func main() {
    StandardOutput.reserveDescriptors()
    Interruption.install()
    do {
      // Swift reads the arguments from there.
      guard !CommandLine.arguments.isEmpty else {
        throw CommandError("there are no arguments: this system has no /proc")
      }
      let arguments = ServeCommand.naming(Array(CommandLine.arguments.dropFirst()))
      if let error = CommandNames.error(in: arguments) { throw error }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      ErrorReport.exit(for: error)
    }
  }
}
