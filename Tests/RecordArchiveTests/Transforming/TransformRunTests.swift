import Foundation
import RecordMigration
import RecordModel
import TestSupport
import Testing

@testable import RecordArchive

@Suite("A run that replaces everything")
struct TransformRunTests {
  /// A transform of which nothing is called, because the run is rejected before.
  private struct Unused: SourceTransform {
    struct Called: Error {}

    func makeWorker(for info: ContainerInfo) -> any TransformWorker {
      Issue.record("the run begins")
      preconditionFailure()
    }

    func replacement(
      forAsset sha256: String, size: Int, beginning: UnsafeRawBufferPointer
    ) -> AssetReplacement {
      Issue.record("the run replaces an asset")
      return AssetReplacement(sha256: sha256, size: size) { _ in }
    }

    func finish(_ workers: [any TransformWorker], assets: Int, missingAssets: Int) throws {
      throw Called()
    }
  }

  @Test(
    "is rejected where the replaced items would be read again, or others first be written",
    arguments: ["two transforms", "a migration before it", "responses"])
  func rejected(_ form: String) throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: folder + "/a.sqlite")
      let transform = ArchiveStage.transform(ArchiveTransform(Unused()))
      let migrator = try Migrator([Migration(from: "1", to: "2", steps: [])])
      let (source, stages, part): (ArchiveSource, [ArchiveStage], String) =
        switch form {
        case "two transforms":
          (.container(container), [transform, transform], "replace its records once")
        case "responses": (.responses(ResponseSet([])), [transform], "import")
        default: (.container(container), [.migrate(with: migrator), transform], "migrate")
        }
      for destination in ["b.recordpack", "c.sqlite"] {
        let path = "\(folder)/\(destination)"
        let error = try #require(throws: ArchiveError.self) {
          try Archiver().run(
            from: [source], through: stages,
            into: path.hasSuffix("sqlite")
              ? .newContainer(path: path) : .bundle(path: path, overwrite: false))
        }
        #expect("\(error)".contains(part), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }
  }
}
