import Foundation
import PackagePlugin

/// Generates a Swift struct for each record type of a target's schema, a `.ckdb` file, before the
/// target is compiled.
///
/// A build command, not a prebuild command: the one output is known beforehand, so that it runs only
/// when the schema or the configuration has changed.
@main
struct RecordTypeGenerator {
  private static let configurationName = "record-type-generator-config.json"

  /// Returns the command that generates the code.
  ///
  /// - Parameters:
  ///   - target: the name of the target.
  ///   - files: the files of the target.
  ///   - workFolder: the folder for generated files.
  ///   - tool: the program that generates the code.
  private func commands(
    for target: String, with files: [URL], in workFolder: URL, by tool: PluginContext.Tool
  ) -> [Command] {
    let schemas = files.filter { $0.pathExtension == "ckdb" }
    guard let schema = schemas.first else {
      Diagnostics.error(
        "the target '\(target)' has no .ckdb file; export the schema of the container into the folder "
          + "of the target ('xcrun cktool export-schema'), and do not exclude it in the manifest")
      return []
    }
    guard schemas.count == 1 else {
      let names = schemas.map { "'\($0.lastPathComponent)'" }.sorted().joined(separator: ", ")
      Diagnostics.error(
        "the target '\(target)' has \(schemas.count) .ckdb files (\(names)), but its types can come "
          + "from one only; exclude the others in the manifest, or give each a target of its own")
      return []
    }
    // Beside the schema, which may lie in a folder of the target.
    let configuration = files.first {
      $0.lastPathComponent == Self.configurationName
        && $0.deletingLastPathComponent().path == schema.deletingLastPathComponent().path
    }
    // A name that no file of the target has: SwiftPM refuses two files of the same name.
    let output = workFolder.appending(path: schema.lastPathComponent + ".swift")
    let inputs = [schema] + [configuration].compactMap { $0 }
    return [
      .buildCommand(
        displayName: "Generating Swift types for \(schema.lastPathComponent)",
        executable: tool.url,
        arguments: ([schema, output] + inputs.dropFirst()).map { $0.path(percentEncoded: false) },
        inputFiles: inputs, outputFiles: [output])
    ]
  }
}

extension RecordTypeGenerator: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let module = target as? SwiftSourceModuleTarget else {
      Diagnostics.error("the target '\(target.name)' has no Swift code to add types to")
      return []
    }
    return try commands(
      for: target.name, with: module.sourceFiles.map(\.url), in: context.pluginWorkDirectoryURL,
      by: context.tool(named: "RecordTypeGeneratorTool"))
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  // For a target of an Xcode project. Written from Apple's documentation; it was never run.
  extension RecordTypeGenerator: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      try commands(
        for: target.displayName, with: target.inputFiles.map(\.url),
        in: context.pluginWorkDirectoryURL, by: context.tool(named: "RecordTypeGeneratorTool"))
    }
  }
#endif
