import Testing

@testable import PushService

struct ToldStopsTests {
    @Test func `a stop that several batches meet is told once, and each push's own`() {
        let stops = ToldStops()
        #expect(stops.isNew(push: 1))
        #expect(!stops.isNew(push: 1))
        #expect(stops.isNew(push: 2))
    }

    @Test func `a push that was found running again is told again`() {
        let stops = ToldStops()
        #expect(stops.isNew(push: 1))
        #expect(stops.isNew(push: 2))
        stops.resume(push: 1, since: stops.time)
        #expect(stops.isNew(push: 1))
        #expect(!stops.isNew(push: 2))
    }

    @Test func `a batch that was claimed before the stop does not make the push run again`() {
        let stops = ToldStops()
        let before = stops.time
        #expect(stops.isNew(push: 1))
        stops.resume(push: 1, since: before)
        #expect(!stops.isNew(push: 1))
    }

    @Test func `of very many stops the latest are remembered`() {
        let stops = ToldStops()
        for number in 0...10_000 { #expect(stops.isNew(push: Int64(number))) }
        #expect(!stops.isNew(push: 10_000))
        #expect(stops.isNew(push: 0))
    }
}
