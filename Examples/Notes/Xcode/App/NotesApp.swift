import Foundation
import Notes
import NotesApp
import SwiftUI

// The only file of the app target in Xcode; all else is in the package.
@main
struct NotesMain: App {
  private let library: Result<NoteLibrary, any Error>

  init() {
    library = Result {
      let files = FileManager.default
      let support = try files.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      var folder = support.appending(path: "Notes")
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try folder.setResourceValues(values)
      return try .ofApp(environment: ProcessInfo.processInfo.environment, folder: folder)
    }
  }

  var body: some Scene {
    WindowGroup {
      switch library {
      case .success(let library): NotesView(library: library)
      case .failure(let error): Text(error.localizedDescription)
      }
    }
  }
}
