extension SchemaRule {
  static let probableRename = SchemaRule(
    "PROBABLE_RENAME", .deploy, .note,
    title: "A name seems to have been changed",
    effect: """
      CloudKit knows no renaming: a new name is a new field or type, and the old one is missing, \
      which production refuses. Values under the old name are not found under the new one.
      """,
    remedy: """
      Keep the old name beside the new one. Move the values in the app, or with a RecordPack \
      migration plan for archives.
      """,
    evidence: [
      Evidence(.corpus, "scout renamed user_id to install_id and device_id in six types at once"),
      Evidence(.inference, "one removed and one added element of the same shape"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      var steps = maximumRenameSteps
      for type in comparison.types {
        let guesses = RenameGuess.fields(
          removed: type.removedFields, added: type.addedFields, steps: &steps)
        for guess in guesses {
          let names = guess.candidates.map { "'\($0.name)'" }
          sink.report(
            .field(guess.removed.name, of: type.name),
            "the field '\(guess.removed.name)' of '\(type.name)' was probably renamed to "
              + RuleWords.list(names, "or"),
            hint: "keep '\(guess.removed.name)' beside it: a renamed field is a removed one",
            at: guess.candidates.first?.origin?.name, former: guess.removed.origin?.name)
        }
      }
      let guesses = RenameGuess.types(
        removed: comparison.removedTypes, added: comparison.addedTypes)
      for guess in guesses {
        sink.report(
          .type(guess.removed.name),
          "the record type '\(guess.removed.name)' was probably renamed to "
            + RuleWords.list(guess.candidates.map { "'\($0.name)'" }, "or"),
          hint: "keep '\(guess.removed.name)' beside it: a renamed type is a removed one",
          at: guess.candidates.first?.origin?.name, former: guess.removed.origin?.name)
      }
    })
}
