import ArgumentParser
import RecordSchema

/// Finds out whether the command line names commands that exist, before the parser takes an unknown
/// one for an argument too many.
enum CommandNames {
  /// - Throws: `ValidationError` for a name that no command has, with those that may have been meant.
  static func check(_ arguments: [String]) throws {
    var arguments = arguments[...]
    let isHelp = arguments.first == "help"
    if isHelp { arguments = arguments.dropFirst() }
    var command: any ParsableCommand.Type = RecordPackCommand.self
    var path = [name(of: command)]
    while let argument = arguments.popFirst(), !argument.hasPrefix("-") {
      let subcommands = command.configuration.subcommands
      // What comes behind the last command is its own affair.
      if subcommands.isEmpty { break }
      guard let next = subcommands.first(where: { name(of: $0) == argument }) else {
        if !isHelp, argument == "help" || command.configuration.defaultSubcommand != nil { break }
        throw unknown(argument, after: path, among: subcommands.map(name))
      }
      command = next
      path.append(argument)
    }
  }

  /// The command line with `help` before the names of commands, where the parser expects it:
  /// `schema help diff` is `help schema diff`, and `help help` is `help`.
  static func helpFirst(_ arguments: [String]) -> [String] {
    if arguments.first == "help", arguments.dropFirst().first == "help" {
      return helpFirst(Array(arguments.dropFirst()))
    }
    var command: any ParsableCommand.Type = RecordPackCommand.self
    for (index, argument) in arguments.enumerated() {
      let subcommands = command.configuration.subcommands
      if subcommands.isEmpty { break }
      if argument == "help" {
        return ["help"] + arguments[..<index] + arguments[(index + 1)...]
      }
      guard let next = subcommands.first(where: { name(of: $0) == argument }) else { break }
      command = next
    }
    return arguments
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }

  private static func unknown(
    _ argument: String, after path: [String], among names: [String]
  ) -> ValidationError {
    var near = NearNames(argument)
    for name in names { near.add(name) }
    let command = path.joined(separator: " ")
    return ValidationError(
      "there is no command '\(argument)' of '\(command)'"
        + (near.hint.isEmpty ? "; '\(command) --help' lists what there is" : near.hint))
  }
}
