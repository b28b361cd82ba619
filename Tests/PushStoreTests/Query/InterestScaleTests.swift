import PushStore
import Recurrence
import Testing

struct InterestScaleTests {
    static let day: Int64 = 86_400
    let scale = InterestScale()
    let now = Instant(secondsSince1970: 1_790_000_000)

    @Test func `one event is an interest of a half, and of a third after a half-life`() {
        let score = scale.score(adding: 1, to: nil, at: now)
        #expect(abs(scale.value(ofScore: score, at: now) - 0.5) < 1e-12)
        let later = now.advanced(bySeconds: 14 * InterestScaleTests.day)
        #expect(abs(scale.value(ofScore: score, at: later) - 1.0 / 3) < 1e-12)
    }

    @Test func `weights add up at the time they are added`() {
        var score = scale.score(adding: 2, to: nil, at: now)
        let later = now.advanced(bySeconds: 14 * InterestScaleTests.day)
        score = scale.score(adding: 3, to: score, at: later)
        #expect(abs(scale.value(ofScore: score, at: later) - 4.0 / 5) < 1e-12)
        // The order of two events does not matter.
        var other = scale.score(adding: 3, to: nil, at: later)
        other = scale.score(adding: 2, to: other, at: now)
        #expect(abs(score - other) < 1e-9)
    }

    @Test(arguments: [0.001, 0.3, 0.5, 0.999])
    func `a value and its score belong together at any time`(value: Double) {
        for days in [-3000, 0, 14, 20_000] as [Int64] {
            let time = now.advanced(bySeconds: days * InterestScaleTests.day)
            let score = scale.score(ofValue: value, at: time)
            #expect(abs(scale.value(ofScore: score, at: time) - value) < 1e-9)
        }
    }

    @Test func `nothing overflows, however old an interest or many its events`() {
        let ancient = scale.score(adding: 1, to: nil, at: Instant(secondsSince1970: 0))
        #expect(scale.value(ofScore: ancient, at: Instant(secondsSince1970: 250_000_000_000)) == 0)
        let recent = scale.score(adding: 1, to: ancient, at: Instant(secondsSince1970: 250_000_000_000))
        #expect(recent.isFinite)
        var score = recent
        for _ in 0..<10_000 { score = scale.score(adding: 1e300, to: score, at: now) }
        #expect(score.isFinite)
        #expect(scale.value(ofScore: score, at: now) <= 1)
        #expect(scale.score(ofValue: 0, at: now) == -.infinity)
        #expect(scale.score(ofValue: 1, at: now) == .infinity)
    }
}
