import Foundation

// Scripts/check-apple adds this file to each module: what iOS, tvOS, watchOS and visionOS lack.

@available(*, unavailable, message: "only macOS has it")
typealias Process = NSObject

@available(*, unavailable, message: "only macOS has it")
func system(_ command: UnsafePointer<CChar>!) -> Int32 { 0 }

@available(*, unavailable, message: "only macOS has it")
func fork() -> pid_t { 0 }

@available(*, unavailable, message: "only macOS and iOS have it")
func posix_spawn(
  _ pid: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
  _ actions: UnsafeRawPointer?, _ attributes: UnsafeRawPointer?,
  _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }

@available(*, unavailable, message: "only macOS has it")
func NSUserName() -> String { "" }

@available(*, unavailable, message: "only macOS has it")
func NSFullUserName() -> String { "" }
