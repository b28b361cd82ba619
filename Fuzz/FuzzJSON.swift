/// JSON text: what is read must be what Foundation's decoder reads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = JSONInvariants.text(text) { fatalError(fault) }
    return 0
}
