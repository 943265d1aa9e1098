import Foundation

// The part of CryptoKit that RecordPack uses, for Scripts/check-apple. Nothing runs.

public struct SHA256Digest: Sendable {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
}

public struct SHA256: Sendable {
  public typealias Digest = SHA256Digest
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { fatalError() }
}

public enum P256: Sendable {
  public enum Signing: Sendable {
    public struct PublicKey: Sendable {
      public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {}
      public var x963Representation: Data { Data() }
      public func isValidSignature<Message: DataProtocol>(
        _ signature: ECDSASignature, for message: Message
      ) -> Bool { true }
    }

    public struct PrivateKey: Sendable {
      public init(compactRepresentable: Bool = true) {}
      public var publicKey: PublicKey { fatalError() }
      public func signature<Message: DataProtocol>(for message: Message) throws -> ECDSASignature {
        fatalError()
      }
    }

    public struct ECDSASignature: Sendable {
      public init<Bytes: DataProtocol>(derRepresentation: Bytes) throws {}
      public var rawRepresentation: Data { Data() }
      public var derRepresentation: Data { Data() }
    }
  }
}
