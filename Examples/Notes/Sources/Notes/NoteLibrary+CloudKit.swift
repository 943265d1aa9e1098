// The one place that knows CloudKit. On Linux it is compiled against MockCloudKit. It was not yet run
// with an account.
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
