import ArgumentParser

/// What a program lacks that was built without a trait of the package.
package enum LeftOut {
  /// The error that says that a part is left out, and how to build the program with it.
  package static func error(_ part: String) -> ValidationError {
    ValidationError(
      """
      this program was built without '\(part)'; the whole tool is built in RecordPack's folder by
        swift build -c release --product recordpack
      and is then .build/release/recordpack
      """)
  }

  /// Throws where pages are left out.
  package static func refusePages() throws {
    #if !Pages
      throw error("--format html")
    #endif
  }
}
