#if os(Linux)
  import Foundation

  /// Classes with the names that Apple's classes have in keyed archives.
  ///
  /// On Linux `NSKeyedArchiver` writes a class as `Module.Name`, except a class of the module
  /// Foundation, whose name stands alone. `NSKeyedArchiver.setClassName(_:for:)` has no effect: it
  /// stores the name under one key and looks it up under another. Therefore `classForKeyedArchiver`
  /// returns a class made here. The class is a copy of a subclass of `NSObject`, whose description has
  /// another name and the module of `NSObject`. It has no instances; the archiver only reads its name
  /// and its superclasses.
  ///
  /// The layout of the metadata is the one that Swift's runtime has on all platforms without
  /// Objective-C: https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst
  package enum FoundationClass {
    private final class Template: NSObject {}

    /// The offset of the description in a class's metadata: after the kind, the superclass and
    /// 24 bytes of flags and sizes.
    private static let descriptionOffset = 2 * MemoryLayout<UnsafeRawPointer>.size + 24

    /// Makes a class.
    ///
    /// - Parameter superclass: Nil for `NSObject`.
    /// - Complexity: The class is never freed. Make each name once.
    package static func named(_ name: String, superclass: AnyClass? = nil) -> AnyClass {
      let template = unsafeBitCast(Template.self as AnyClass, to: UnsafeRawPointer.self)
      let word = MemoryLayout<UnsafeRawPointer>.size
      let size = Int(template.load(fromByteOffset: 2 * word + 16, as: UInt32.self))
      let addressPoint = Int(template.load(fromByteOffset: 2 * word + 20, as: UInt32.self))
      let metadata = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      metadata.copyMemory(from: template - addressPoint, byteCount: size)
      let copy = metadata + addressPoint
      copy.storeBytes(of: description(name), toByteOffset: descriptionOffset, as: Int.self)
      if let superclass {
        let pointer = unsafeBitCast(superclass, to: Int.self)
        copy.storeBytes(of: pointer, toByteOffset: word, as: Int.self)
      }
      return unsafeBitCast(UnsafeRawPointer(copy), to: AnyClass.self)
    }

    /// Copies the description of the template, with another name and the module of `NSObject`.
    /// The offsets in a description are relative, so both lie behind it.
    private static func description(_ name: String) -> Int {
      let (length, word) = (64, MemoryLayout<UnsafeRawPointer>.size)
      let bytes = Array(name.utf8) + [0]
      let copy = UnsafeMutableRawPointer.allocate(
        byteCount: length + word + bytes.count, alignment: 16)
      copy.initializeMemory(as: UInt8.self, repeating: 0, count: length)
      copy.copyMemory(from: description(of: Template.self), byteCount: 44)
      (copy + length).storeBytes(of: module(of: NSObject.self), as: Int.self)
      (copy + length + word).copyMemory(from: bytes, byteCount: bytes.count)
      // The lowest bit says that the offset leads to a pointer.
      copy.storeBytes(of: Int32(length - 4) | 1, toByteOffset: 4, as: Int32.self)
      copy.storeBytes(of: Int32(length + word - 8), toByteOffset: 8, as: Int32.self)
      return Int(bitPattern: copy)
    }

    private static func description(of type: AnyClass) -> UnsafeRawPointer {
      unsafeBitCast(type, to: UnsafeRawPointer.self)
        .load(fromByteOffset: descriptionOffset, as: UnsafeRawPointer.self)
    }

    private static func module(of type: AnyClass) -> Int {
      let place = description(of: type) + 4
      let offset = Int(place.load(as: Int32.self))
      let target = place + (offset & ~1)
      return offset & 1 == 0 ? Int(bitPattern: target) : target.load(as: Int.self)
    }
  }
#endif
