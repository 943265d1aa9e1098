import Foundation
import Notes
import NotesApp
import SwiftUI

// The only file of the app target in Xcode; all else is in the package.
@main
struct NotesMain: App {
  var body: some Scene {
    WindowGroup {
      NotesView {
        let files = FileManager.default
        let support = try files.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        var folder = support.appending(path: "Notes")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
        return try await .ofApp(environment: ProcessInfo.processInfo.environment, folder: folder)
      }
    }
  }
}
