package import APNs

/// Why a step of an explanation is as it is: a stable name, and the values that belong into its text.
///
/// Programs read the name, people the text; a console in another language has a text of its own for each name.
package struct ExplanationReason: Sendable, Hashable {
    /// What was found.
    package enum Kind: String, CaseIterable, Sendable {
        case pushState, pushStopped
        case installationGone, installationUnknown, installationSaved
        case broadcast, tokenNamed, tokenNotNamed
        case fieldFails, fieldFailsMissing, fieldForbidden, fieldForbiddenMissing
        case channelsDiffer, notTest, matches, matchedThen
        case optedIn, optedOut
        case token, tokenMissing, tokenMalformed
        case environment, environmentDiffers, environmentUnknown
        case credentialFits, credentialMissing, forTeam, forProfile
        case batchNever, batchNotYet, batch, claimedAgain
        case requestSince, requestNotYet
        case answer, answerDetail
        case receivedAt, notReceived
        case openedAt, notOpened

        /// The text in English, with `{0}` and so on where values go.
        package var text: String {
            switch self {
            case .pushState: "{0}"
            case .pushStopped: "{0}: {1}"
            case .installationGone: "it is gone; it was there when the push was planned"
            case .installationUnknown: "there is none with this objectId"
            case .installationSaved: "saved at {0}"
            case .broadcast: "the push was broadcast: who follows its channel is known to APNs alone"
            case .tokenNamed: "its token is among those of the push"
            case .tokenNotNamed: "its token is not among those of the push"
            case .fieldFails: "{0}: {1} {2} does not hold, found {3}"
            case .fieldFailsMissing: "{0}: {1} {2} does not hold, found nothing"
            case .fieldForbidden: "{0}: {1} {2} must not hold, found {3}"
            case .fieldForbiddenMissing: "{0}: {1} {2} must not hold, found nothing"
            case .channelsDiffer: "channels: it is in none of {0}"
            case .notTest: "test: the push is for marked devices only"
            case .matches: "it matches the query"
            case .matchedThen: "(now; it matched when the push was planned)"
            case .optedIn: "it may be sent to"
            case .optedOut: "valid is false: the device opted out"
            case .token: "{0}…"
            case .tokenMissing: "the installation has no device token"
            case .tokenMalformed: "what it registered is no device token: {0}…"
            case .environment: "{0}"
            case .environmentDiffers: "the push is for {0}, the device registered in {1}"
            case .environmentUnknown: "not known yet; it is learned from APNs"
            case .credentialFits: "for topic {0}"
            case .credentialMissing: "none of {0} fits topic {1}"
            case .forTeam: "team {0}"
            case .forProfile: "profile {0}"
            case .batchNever: "it was in no batch of the push"
            case .batchNotYet: "it is in no batch so far"
            case .batch: "number {0}, from {1}"
            case .claimedAgain: "claimed {0} times"
            case .requestSince: "from {0}"
            case .requestNotYet: "not yet"
            case .answer: "{0}"
            case .answerDetail: "{0}: {1}"
            case .receivedAt: "at {0}"
            case .notReceived: "no receipt was reported"
            case .openedAt: "at {0}"
            case .notOpened: "no opening was reported"
            }
        }

        /// What stands before it when something else does.
        package var separator: String {
            switch self {
            case .matchedThen: " "
            case .forTeam, .forProfile, .claimedAgain: ", "
            default: "; "
            }
        }
    }

    package var kind: Kind
    package var values: [String]

    init(_ kind: Kind, _ values: String...) {
        self.kind = kind
        self.values = values
    }

    /// Reads what ``json`` made; nil for a name that is not known.
    package init?(_ json: JSONValue) {
        guard case .string(let name)? = json["reason"], let kind = Kind(rawValue: name),
            case .array(let items)? = json["values"]
        else { return nil }
        self.kind = kind
        values = items.map { if case .string(let text) = $0 { text } else { "" } }
    }

    var json: JSONValue {
        ["reason": .string(kind.rawValue), "values": .array(values.map(JSONValue.string))]
    }

    /// Some reasons as one line in English.
    static func text(_ reasons: [ExplanationReason]) -> String {
        var line = ""
        for reason in reasons {
            var text = reason.kind.text
            // From the last place on: a value that looks like a place stays what it is.
            for (index, value) in reason.values.enumerated().reversed() {
                guard let place = text.firstRange(of: "{\(index)}") else { continue }
                text.replaceSubrange(place, with: value)
            }
            line += (line.isEmpty ? "" : reason.kind.separator) + text
        }
        return line
    }
}
