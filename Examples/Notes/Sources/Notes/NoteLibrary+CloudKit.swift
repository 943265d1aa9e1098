// The one place that knows CloudKit. It was compiled against RecordPack's stand-in for CloudKit, and
// not yet run with an account.
#if canImport(CloudKit)
  import CloudKit
  import Foundation
  import RecordPackCloudKit

  extension NoteLibrary {
    /// Creates the library of the app, in the container that its entitlements name.
    public init(folder: URL) async throws {
      try await self.init(
        container: CloudKitContainer(CKContainer.default()), folder: folder,
        makeEngine: { CloudKitSyncEngine($0) })
    }
  }
#endif
