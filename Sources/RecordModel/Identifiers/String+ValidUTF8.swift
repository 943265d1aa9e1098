extension String {
  /// Creates a string without checking its bytes again, where the system can.
  ///
  /// - Parameters:
  ///   - bytes: Valid UTF-8: anything else is undefined.
  ///   - isASCII: Whether all bytes are certainly ASCII.
  package init(validUTF8 bytes: UnsafeRawBufferPointer, isASCII: Bool = false) {
    // The standard library finds out that bytes are ASCII faster than it stores them. It takes
    // three times as long to check others.
    #if compiler(>=6.2)
      if !isASCII, #available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *) {
        self = bytes.withMemoryRebound(to: UInt8.self) {
          String(copying: UTF8Span(unchecked: $0.span))
        }
        return
      }
    #endif
    self.init(decoding: bytes, as: UTF8.self)
  }
}
