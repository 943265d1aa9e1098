import Foundation
import PackagePlugin

// The part of Xcode's module that the plugin uses, for Scripts/check-apple. Nothing runs.

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
