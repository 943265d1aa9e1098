import ArgumentParser

/// The measuring program of `Benchmarks/compare`: each subcommand measures one thing and writes
/// what it took as a line of JSON.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordpack-bench",
    abstract: "Measures RecordPack and its peers on generated records.",
    subcommands: [
      Generate.self, Write.self, Decode.self, Typed.self, CodableTypes.self, Names.self,
      FoundationEncode.self, FoundationDecode.self, SQLiteC.self, Tact.self, Copy.self,
      Fixture.self, Server.self, Sync.self,
    ])
}

/// Which data set.
struct DataOptions: ParsableArguments {
  @Option(help: "How many records the data set has.")
  var records = 1_000_000

  @Option(help: "What the data set's random numbers grow from.")
  var seed: UInt64 = 1

  var data: ChatData { ChatData(records: records, seed: seed) }
}
