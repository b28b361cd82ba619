import BelfryKit
import Foundation
import Testing

struct MemoryStorageTests {
    @Test func `a value is read back until it is removed`() {
        let storage = MemoryStorage()
        #expect(storage.data(forKey: "a") == nil)
        storage.setData(Data("one".utf8), forKey: "a")
        #expect(storage.data(forKey: "a") == Data("one".utf8))
        #expect(storage.data(forKey: "b") == nil)
        storage.setData(nil, forKey: "a")
        #expect(storage.data(forKey: "a") == nil)
    }
}
