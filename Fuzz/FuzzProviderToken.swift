/// Provider tokens.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProviderToken(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = Invariants.providerToken(text) ?? Invariants.headerValues(text) { fatalError(fault) }
    return 0
}
