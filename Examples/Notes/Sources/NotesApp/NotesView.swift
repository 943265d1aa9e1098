#if canImport(SwiftUI)
  import Notes
  import NotesModel
  import SwiftUI

  /// The folders of the user, with the titles of their notes.
  public struct NotesView: View {
    private let open: @Sendable () async throws -> NoteLibrary
    @State private var folders: [Folder] = []
    @State private var notes: [Note] = []
    @State private var failure: String?

    /// Creates the view of a library, which it opens and syncs when it appears.
    public init(open: @escaping @Sendable () async throws -> NoteLibrary) { self.open = open }

    /// The list.
    public var body: some View {
      List {
        if let failure { Text(failure) }
        ForEach(folders, id: \.recordID) { folder in
          Section {
            ForEach(notes.filter { $0.folder?.recordID == folder.recordID }, id: \.recordID) {
              Text($0.title ?? "Untitled")
            }
          } header: {
            Text(folder.name ?? "Untitled")
          }
        }
      }
      .task { await load() }
    }

    private func load() async {
      do {
        let library = try await open()
        try await library.sync()
        folders = try await library.folders
        notes = try await library.notes
      } catch {
        failure = error.localizedDescription
      }
    }
  }
#endif
