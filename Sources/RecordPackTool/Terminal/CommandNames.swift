import ArgumentParser
import RecordSchema

/// Checks the names of subcommands before parsing: the parser would report an unknown one as an
/// unexpected argument.
enum CommandNames {
  /// - Throws: `ValidationError` for an unknown name, with suggestions.
  static func check(_ arguments: [String]) throws {
    var arguments = arguments[...]
    let isHelp = arguments.first == "help"
    if isHelp { arguments = arguments.dropFirst() }
    var command: any ParsableCommand.Type = RecordPackCommand.self
    var path = [name(of: command)]
    while let argument = arguments.popFirst(), !argument.hasPrefix("-") {
      let subcommands = command.configuration.subcommands
      // The other arguments are not command names.
      if subcommands.isEmpty { break }
      guard let next = subcommands.first(where: { name(of: $0) == argument }) else {
        if !isHelp, argument == "help" || command.configuration.defaultSubcommand != nil { break }
        throw unknown(argument, after: path, among: subcommands.map(name))
      }
      command = next
      path.append(argument)
    }
  }

  /// Moves `help` to the front, where the parser expects it: `schema help diff` becomes `help
  /// schema diff`, and `help help` becomes `help`.
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
      "'\(command)' has no command '\(argument)'"
        + (near.hint.isEmpty ? "; see '\(command) --help'" : near.hint))
  }
}
