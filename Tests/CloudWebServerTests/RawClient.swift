import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A connection that sends bytes as they are. Reading gives up after some minutes: other
/// tests may hold up the server.
final class RawClient: Sendable {
  private let file: Int32

  init(port: UInt16) throws {
    #if canImport(Darwin)
      file = socket(AF_INET, SOCK_STREAM, 0)
    #else
      file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var timeout = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(file) }

  func send(_ text: String) { send(Data(text.utf8)) }

  func send(_ data: Data) {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns what comes until the text has an end, or the connection is closed. It waits on a thread
  /// of its own: the server needs those of tasks.
  func receive(until end: String? = nil) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        continuation.resume(returning: receiving(until: end))
      }
    }
  }

  /// Returns how long it takes until the server closes the connection without an answer, as the
  /// thread that waits measures it.
  func timeUntilClosed() async -> Duration {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        let start = ContinuousClock.now
        let isClosed = receiving(until: nil).isEmpty
        continuation.resume(returning: isClosed ? ContinuousClock.now - start : .seconds(Int.max))
      }
    }
  }

  func receiving(until end: String?) -> String {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end, data.range(of: Data(end.utf8)) != nil { break }
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      data.append(contentsOf: buffer[..<count])
    }
    return String(decoding: data, as: UTF8.self)
  }
}
