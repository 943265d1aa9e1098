// The one place that knows CloudKit. It is compiled on Apple's platforms, where the manifest links
// RecordPackCloudKit; it was not compiled yet.
#if canImport(CloudKit) && canImport(RecordPackCloudKit)
  import CloudKit
  import RecordPackCloudKit

  extension NoteLibrary {
    /// Creates the library of the app, in the container that its entitlements name.
    public init(files: StateFiles) throws {
      try self.init(container: CloudKitContainer(CKContainer.default()), files: files)
    }
  }
#endif
