import Foundation
import Testing

/// Examples/Spark: a container that is anonymised in parts by Spark, in its local mode.
@Suite(
  "The Spark job",
  .enabled("needs java, and python3 with pyspark and duckdb") {
    guard Command.exists("bash"), Command.exists("java") else { return false }
    return await Command.pythonHas("pyspark, duckdb")
  },
  .enabled("needs the programs recordpack and tact") {
    Place.program("recordpack") != nil && Place.program("tact") != nil
  })
struct SparkCircleTests {
  @Test("parts that are anonymised apart are, together, the whole that was anonymised at once")
  func circle() async throws {
    let folder = try TestFolder()
    let tool = try #require(Place.program("recordpack"))
    let programs = URL(fileURLWithPath: tool).deletingLastPathComponent().path
    let script = "'\(Place.inPackage("Examples/Spark/circle"))' '\(folder.path("files"))'"
    let circle = try await Command("bash", "-c", script, environment: ["RECORDPACK_BIN": programs])
    #expect(circle.code == 0, "\(circle.output)")
    #expect(circle.output.contains("equal to the whole, and its bundle has the same bytes"))
    #expect(circle.output.contains("10 shards: 267 records, 8 parts"))
    // DuckDB has counted the same in the shards and in the parts.
    let messages = circle.output.split(separator: "\n").filter { line in
      ["│ private ", " Message ", " 179 │"].allSatisfy(line.contains)
    }
    #expect(messages.count == 2, "\(circle.output)")
  }
}
