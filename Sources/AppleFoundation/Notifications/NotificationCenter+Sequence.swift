#if os(Linux)
  import Foundation

  extension NotificationCenter {
    public final class Notifications: AsyncSequence, Sendable {
      public typealias Element = Notification

      private let makeStream: @Sendable () -> AsyncStream<Notification>

      init(_ makeStream: @escaping @Sendable () -> AsyncStream<Notification>) {
        self.makeStream = makeStream
      }
      public func makeAsyncIterator() -> AsyncStream<Notification>.Iterator {
        makeStream().makeAsyncIterator()
      }
    }
    public func notifications(
      named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications {
      Notifications { [self] in
        AsyncStream { continuation in
          nonisolated(unsafe) let observer = addObserver(
            forName: name, object: object, queue: nil
          ) {
            nonisolated(unsafe) let notification = $0
            continuation.yield(notification)
          }
          continuation.onTermination = { [self] _ in removeObserver(observer) }
        }
      }
    }
  }
#endif
