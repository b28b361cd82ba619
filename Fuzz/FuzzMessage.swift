/// The data of pushes, with variables and languages, for devices whose attributes mean harm.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessage(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = MessageInvariants.message(text) { fatalError(fault) }
    return 0
}
