import Testing

@testable import PushStore

struct AudienceSampleTests {
    @Test func `what can be counted as well is not estimated`() {
        #expect(AudienceSample(last: 0) == nil)
        #expect(AudienceSample(last: AudienceSample.numberMin - 1) == nil)
        #expect(AudienceSample(last: AudienceSample.numberMin) != nil)
    }

    @Test(arguments: [40_000, 40_063, 1_000_000, 123_456_789, Int64.max / 2])
    func `stretches do not overlap, reach over all rows and stay within them`(last: Int64) throws {
        let stretches = try #require(AudienceSample(last: last)).stretches
        #expect(stretches.count == Int(AudienceSample.stretchCount))
        #expect(stretches.first?.lowerBound == 1)
        for (one, next) in zip(stretches, stretches.dropFirst()) { #expect(one.upperBound < next.lowerBound) }
        let end = try #require(stretches.last?.upperBound)
        #expect(end <= last && end > last - last / AudienceSample.stretchCount - AudienceSample.stretchCount)
    }

    @Test func `a share of what was looked at is that share of the whole`() throws {
        let sample = try #require(AudienceSample(last: 1_000_000))
        #expect(sample.estimate(matchCount: Int(64 * 400)) == .about(1_000_000))
        #expect(sample.estimate(matchCount: Int(64 * 400 / 4)) == .about(250_000))
        #expect(sample.estimate(matchCount: 99) == .unclear)
        #expect(sample.estimate(matchCount: 0) == .unclear)
    }

    @Test(arguments: [(0, 0), (7, 7), (99, 99), (104, 100), (105, 110), (12_345, 12_000), (987_654, 990_000)])
    func `an estimate has two digits`(count: Int, shown: Int) {
        #expect(AudienceSample.rounded(count) == shown)
    }
}
