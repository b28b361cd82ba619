package import Transport

/// A request's fields lie in one array, whose storage stays in place while the list lives unchanged: a
/// ``RequestHead`` made from the fields of a stream is valid until the stream is answered or closed.
extension HTTP2Fields: HeaderFieldSource {
    /// Calls a closure with the name and value of each field, in the order of arrival.
    @inline(__always)
    package func forEachField(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) { forEach(body) }
}
