import Testing

@testable import belfry

@Suite struct StopRequestTests {
    @Test func `a signal that nobody waits for ends the process`() {
        var machine = StopRequest.Machine()
        #expect(machine.received(15) == .exit(code: 143))
    }

    @Test func `the first signal wakes who waits, the second ends the process`() {
        var machine = StopRequest.Machine()
        #expect(machine.waitBegan() == .none)
        #expect(machine.received(2) == .wake)
        #expect(machine.received(15) == .exit(code: 143))
    }

    @Test func `waiting again after a signal does not block`() {
        var machine = StopRequest.Machine()
        _ = machine.waitBegan()
        _ = machine.received(15)
        #expect(machine.waitBegan() == .wake)
    }

    @Test(.timeLimit(.minutes(5))) func `a waiting verb is woken by a signal`() async {
        let stop = StopRequest()
        let waiting = Task { await stop.wait() }
        while !stop.isAwaited { await Task.yield() }
        #expect(stop.received(15) == nil)
        await waiting.value
    }

    @Test(.timeLimit(.minutes(5))) func `a signal between the ready line and the wait ends the wait at once`()
        async
    {
        let stop = StopRequest()
        stop.expect()
        #expect(stop.received(2) == nil)
        await stop.wait()
        #expect(stop.received(2) == 130)
    }

    @Test(.timeLimit(.minutes(5))) func `a cancelled verb stops waiting`() async {
        let stop = StopRequest()
        let waiting = Task { await stop.wait() }
        while !stop.isAwaited { await Task.yield() }
        waiting.cancel()
        await waiting.value
        let never = Task { await stop.wait() }
        never.cancel()
        await never.value
    }
}
