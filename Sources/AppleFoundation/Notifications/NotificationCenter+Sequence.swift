#if os(Linux)
  import Foundation

  extension NotificationCenter {
    /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications-swift.class
    public final class Notifications: AsyncSequence, Sendable {
      /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications-swift.class/element
      public typealias Element = Notification

      private let makeStream: @Sendable () -> AsyncStream<Notification>

      init(_ makeStream: @escaping @Sendable () -> AsyncStream<Notification>) {
        self.makeStream = makeStream
      }

      /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications-swift.class/makeasynciterator()
      public func makeAsyncIterator() -> AsyncStream<Notification>.Iterator {
        makeStream().makeAsyncIterator()
      }
    }

    /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)
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
