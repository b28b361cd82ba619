/// The header fields of one request, wherever they are kept.
package protocol HeaderFieldSource {
    /// Calls a closure with the name and value of each field, in the order of arrival.
    ///
    /// The bytes must stay valid and unchanged until the caller is done with what it made of them: a
    /// ``RequestHead`` keeps pointers into them.
    func forEachField(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void)
}
