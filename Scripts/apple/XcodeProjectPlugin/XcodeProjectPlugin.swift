import Foundation
import PackagePlugin

// What the plugin uses of Xcode's module, for Scripts/check-apple; nothing runs.

public struct XcodeTarget {
  public var displayName: String { "" }
  public var inputFiles: FileList { fatalError() }
}

public struct XcodePluginContext {
  public var pluginWorkDirectoryURL: URL { fatalError() }
  public func tool(named name: String) throws -> PluginContext.Tool { fatalError() }
}

public protocol XcodeBuildToolPlugin: BuildToolPlugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}
