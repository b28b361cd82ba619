/// Payloads as JSON, as typed payloads, for the lint, and the body of a refusal.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPayload(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = Invariants.payload(text) { fatalError(fault) }
    return 0
}
