import Testing

@testable import VirtualPhone

@Suite struct PhoneErrorTests {
    @Test func `an error says its kind first`() {
        #expect("\(PhoneError(.push, "no aps"))" == "push: no aps")
    }
}
