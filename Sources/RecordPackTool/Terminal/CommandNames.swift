import ArgumentParser
import RecordSchema

/// Finds words of a command line that should be the name of a command, and are not.
///
/// The parser reports such a word as an unexpected argument, without a suggestion.
enum CommandNames {
  /// Returns the error for the first unknown name; nil if there is none.
  static func error(in arguments: [String]) -> ValidationError? {
    var command: any ParsableCommand.Type = RecordPackCommand.self
    var path = "recordpack"
    for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
      let children = command.configuration.subcommands
      if word.hasPrefix("-") || children.isEmpty { return nil }
      if let child = children.first(where: { $0._commandName == word }) {
        command = child
        path += " " + word
        continue
      }
      // The word is an argument of the default.
      if command.configuration.defaultSubcommand != nil || word == "help" { return nil }
      let hint = NearNames.hint(word, among: children.map { $0._commandName })
      let place = command == RecordPackCommand.self ? "" : " of '\(path)'"
      return ValidationError(
        "there is no command '\(word)'\(place)\(hint.isEmpty ? ";" : hint) '\(path) --help' lists all"
      )
    }
    return nil
  }
}
