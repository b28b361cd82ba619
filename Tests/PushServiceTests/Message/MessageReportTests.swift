import APNs
import PushStore
import Testing

@testable import PushService

@Suite struct MessageReportTests {
    private func rules(_ data: String, _ context: MessageContext? = nil) throws -> Set<String> {
        Set(try MessageFixture.composer(data, context).report(now: 1_800_000_000).findings.map(\.rule))
    }

    @Test func `a good message has nothing to report`() throws {
        let data =
            #"{"alert":{"title":"t","body":"{{name|you}}"},"alert-fr":"f","badge":"Increment","sound":"default"}"#
        let report = try MessageFixture.composer(data).report(now: 1_800_000_000)
        #expect(report.findings == [])
        #expect(report.variants.map(\.language) == [nil, "fr"])
        #expect(report.variants.map(\.variables) == [["name"], []])
        for variant in report.variants {
            #expect(variant.byteCount == variant.payload.count)
            #expect(variant.byteCountMax == 4_096)
        }
    }

    @Test(arguments: [
        (#"{"alert":"{{name}}"}"#, "variable-without-default"),
        (#"{"alert":"{{a b}}"}"#, "unreadable-variable"),
        (#"{"content-available":1,"apns-priority":10}"#, "background-priority"),
        (#"{"mine":1}"#, "invisible"),
        (#"{"alert":"x","relevance-score":2}"#, "relevance-range"),
        (#"{"alert":{"tittle":"x"}}"#, "misspelt-key"),
        (#"{"alert":"x","badge":-1}"#, "badge-range"),
        (#"{"alert":{"summary-arg":"x","body":"y"}}"#, "obsolete-key"),
        (#"{"event":"update","content-state":{},"timestamp":1800000000000}"#, "instant"),
        (#"{"event":"start","content-state":{}}"#, "missing-part"),
        (#"{"aps":{"alrt":"x"}}"#, "misspelt-key"),
        (#"{"alert":"x","apns-push-type":"background","content-available":1}"#, "background-visible"),
    ])
    func `what will go wrong is said before it does`(data: String, rule: String) throws {
        #expect(try rules(data).contains(rule))
    }

    @Test func `an expiration that is a duration is noticed`() throws {
        let context = try MessageFixture.context(expiration: .at(secondsSince1970: 3_600))
        #expect(try rules(#"{"alert":"x"}"#, context).contains("relative-expiration"))
        let past = try MessageFixture.context(expiration: .at(secondsSince1970: 1_799_999_000))
        #expect(try rules(#"{"alert":"x"}"#, past).contains("expired"))
    }

    @Test func `a finding of one language names it`() throws {
        let report = try MessageFixture.composer(#"{"alert":"x","alert-fr":{"body":""},"alert-de":"y"}"#)
            .report(now: 1_800_000_000)
        let finding = try #require(report.findings.first { $0.rule == "empty-alert" })
        #expect(finding.languages == ["fr"])
    }

    @Test func `errors come first`() throws {
        let report = try MessageFixture.composer(#"{"badge":-1,"alert":"{{x}}"}"#).report(now: 1_800_000_000)
        let severities = report.findings.map(\.severity)
        #expect(severities.first == .error)
        #expect(severities == severities.filter { $0 == .error } + severities.filter { $0 == .warning })
    }
}
