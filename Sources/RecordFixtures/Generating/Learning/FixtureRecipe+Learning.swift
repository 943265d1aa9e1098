import RecordArchive
import RecordModel
import RecordSchema

extension FixtureRecipe {
  /// Returns the text of a recipe that makes records like those of a source: as many of each type, as
  /// many children of a parent, text, lists and files as large, and as many fields without a value.
  ///
  /// The recipe has no value of the source, no name of a zone or record, and no user. Numbers are
  /// rounded up to powers of ten, lengths and sizes to ranges. <doc:GeneratingRecords> says what is
  /// learned and what is not.
  ///
  /// - Parameters:
  ///   - schema: The schema of the source; other types are left out.
  ///   - source: A bundle or container. All records are read.
  ///   - progress: Called periodically; an error it throws ends the reading.
  /// - Throws: The errors of reading the source.
  public static func starter(
    for schema: CloudSchema, like source: ArchiveSource,
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> String {
    var learner = RecipeLearner(schema)
    try source.forEachRecord(progress: progress) { learner.add($0, $1) }
    for (_, zone) in try source.zones() where zone.share != nil { learner.addShared(zone.zoneID) }
    for file in learner.sampledFiles.sorted() {
      // A file that is not stored tells nothing.
      if let bytes = source.firstBytes(ofAsset: file) { learner.addFile(file, first: bytes) }
    }
    return RecipeText(
      recipe: learner.recipe(), schema: schema,
      introduction: [
        "Makes records like those of a source, of which it has no values:",
        "numbers, lengths, sizes and rates are rounded.",
      ]
    ).yaml
  }
}

extension ArchiveSource {
  private struct EnoughBytes: Error {
    let bytes: [UInt8]
  }

  /// Returns the first bytes of an asset; nil if it is not stored.
  fileprivate func firstBytes(ofAsset sha256: String) -> [UInt8]? {
    do {
      try forEachChunk(ofAsset: sha256) { throw EnoughBytes(bytes: Array($0.prefix(512))) }
      return []
    } catch let enough as EnoughBytes {
      return enough.bytes
    } catch {
      return nil
    }
  }
}
