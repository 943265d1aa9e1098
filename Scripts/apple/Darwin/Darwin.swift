@_exported import Foundation
@_exported import FoundationNetworking

// Declarations of the SDK's Darwin that Linux lacks, or has with other types: as the SDK imports
// them. Scripts/check-apple compiles them as the module `Darwin`; nothing runs.

extension stat {
  public var st_mtimespec: timespec { st_mtim }
  public var st_ctimespec: timespec { st_ctim }
}
public var F_FULLFSYNC: Int32 { 51 }
public var F_GETPATH: Int32 { 50 }
public var F_NOCACHE: Int32 { 48 }
public var RENAME_EXCL: UInt32 { 4 }
@discardableResult
public func renamex_np(
  _ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!, _ flags: UInt32
) -> Int32 { -1 }

public struct qos_class_t: Equatable, Sendable { public var rawValue: UInt32 }
public var QOS_CLASS_USER_INITIATED: qos_class_t { qos_class_t(rawValue: 0x19) }
@discardableResult
public func pthread_attr_set_qos_class_np(
  _ attributes: UnsafeMutablePointer<pthread_attr_t>, _ qos: qos_class_t, _ priority: Int32
) -> Int32 { 0 }
@discardableResult
public func pthread_setname_np(_ name: UnsafePointer<CChar>) -> Int32 { 0 }
@discardableResult
public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}

public var RLIMIT_NOFILE: Int32 { 8 }
public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 { -1 }
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { -1 }
public var SOCK_STREAM: Int32 { 1 }
