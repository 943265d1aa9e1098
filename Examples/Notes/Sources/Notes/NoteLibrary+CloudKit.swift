// The one place that knows CloudKit. It was compiled against RecordPack's stand-in for CloudKit, and
// not yet run with an account.
#if canImport(CloudKit)
  import CloudKit
  import RecordPackCloudKit

  extension NoteLibrary {
    /// Creates the library of the app, in the container that its entitlements name.
    public init(files: StateFiles) throws {
      try self.init(container: CloudKitContainer(CKContainer.default()), files: files)
    }
  }
#endif
