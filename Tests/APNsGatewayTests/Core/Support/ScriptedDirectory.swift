import APNs
import APNsGateway

/// A directory that says of each token what the test wrote down; unknown of all others.
final class ScriptedDirectory: TokenDirectory {
    var verdicts: [String: TokenVerdict]
    private(set) var questionCount = 0

    init(_ verdicts: [String: TokenVerdict] = [:]) {
        self.verdicts = verdicts
    }

    func verdict(
        for token: DeviceToken, topic: Topic, environment: APNs.Environment, nowMilliseconds: Int64
    ) -> TokenVerdict {
        questionCount += 1
        return verdicts[token.hexString] ?? .unknown
    }
}
