/// The console's text of an error whose English sentence the service made, in the visitor's language.
///
/// The service's own sentences stay English: they are part of its contract. Each is held against the English of these
/// phrases, the one with most words of its own first; what stands where a phrase has `{0}` is put into the other
/// language's text. What no phrase fits is shown as it is.
enum ErrorText {
    /// Every phrase that an error may be.
    static let phrases: [Phrase] = [
        .errorFound, .errorWasFound, .errorWereFound, .errorQuoted, .errorAllowedRange, .errorValueCount,
        .errorMissing, .errorByteCount, .errorListCount, .errorTwice, .errorEmptyRule, .errorIsEmpty,
        .errorLetters, .errorNameLetters, .errorRangeAllowed, .needZone, .needRuleParts, .needRuleExample,
        .needValue, .needPositive, .needWholeNumbers, .needOrdinalDays, .needDays, .needUntil, .needWindow,
        .needTwoRanges, .needOrdinal, .needRange, .kindString, .kindNumber, .kindBoolean, .kindArray,
        .kindObject, .kindNothing, .needWhole, .needStrings, .needSwitch, .needTruth, .needLength,
        .needOperators, .needTexts, .needTextsOrArray, .needIncrement, .needLevel, .needEvent,
        .needSeconds, .needPriority, .needOneOf, .needFromTo, .errorBesideCount, .errorOrdinalIn,
        .errorInWeekly, .errorNeedsPart, .errorSubdaily, .errorBesideTimes, .errorNeverFires,
        .errorTimeText, .errorDaysAhead, .errorLocalOver, .errorPushTime, .errorLifetime, .errorPaceNumber,
        .errorTimeAndSchedule, .errorRuleNeeded, .errorBodySize, .errorAnyBodySize, .errorPayloadSize,
        .errorPayloadSizeIn, .errorObjectNeeded, .errorDepth, .errorActivityEvent, .errorCollapse,
        .errorCollapseEmpty, .errorCollapseText, .errorChannelIDLength, .errorChannelIDText,
        .errorBroadcastFor, .errorBroadcastTime, .errorBroadcastSchedule, .errorBroadcastArticles,
        .errorBroadcastActivity, .errorBroadcastVariables, .errorTopicEmpty, .errorTopicLength,
        .errorTopicText, .errorTopicSuffix, .errorChannelText, .errorChannelsEmpty, .errorOperatorBeside,
        .errorOperatorUnknown, .errorConditionsEmpty, .errorElementsObjects, .errorKeyAmong,
        .errorStandsAlone, .errorInterestOperator, .errorConditionCount, .errorConditionDepth,
        .errorRelation, .errorForeign, .errorDateText, .errorDateISO, .errorComparable, .errorPointer,
        .errorZeroCharacter, .errorNoNumber, .errorOperatorInValue, .errorKeyParts, .errorKeyText,
        .errorKeyPart, .errorInterestTag, .errorNoFields, .errorOptions, .errorPatternOptions,
        .errorPatternSize, .errorPattern, .errorNumberFromZero, .errorBox, .errorBoxCorners,
        .errorBoxUpsideDown, .errorGeoPoint, .errorDegrees, .errorTooCostly, .errorUserExists,
        .errorUserUnknown, .errorLastOwner, .errorUserName, .errorUserThere, .errorAppName,
        .errorAppExists, .errorAppGone, .errorAppUnknown, .errorRangeFound, .errorCredentialGone,
        .errorAppleID, .nameKeyID, .nameTeamID, .errorP8Size, .errorP8UTF16, .errorP8Empty, .errorP8Keys,
        .errorP8CutOff, .errorP8Kind, .errorP8Halves, .errorP8Breaks, .errorP8Damaged, .errorP8Encrypted,
        .errorP8SEC1, .errorP8RSA, .errorP8Public, .errorP8Certificate, .errorP8Request, .errorP8Block,
        .errorP8Lines, .errorP8Web, .errorP8NoPEM, .errorP8IsP12, .errorPEMBegin, .errorPEMCutOff,
        .errorPEMEmpty, .errorPEMDamaged, .errorNoPrivateKey, .errorPrivateKeys, .errorNoCertificate,
        .errorNotX509, .errorBlockDamaged, .errorKeyEncrypted, .errorKeyPassword, .errorKeyOld, .errorPair,
        .errorP12Empty, .errorP12Size, .errorP12PEM, .errorP12Not, .errorP12Decrypt, .errorP12Algorithm,
        .errorP12NeedsPassword, .errorP12Password, .errorP12NoKey, .errorP12NoCertificate, .errorP12Old,
        .errorNotPushCertificate, .errorCertificateEnded, .errorCertificateOnly, .nameProduction,
        .nameSandbox, .nameBoth, .errorOverloaded, .errorUnavailable, .errorUncertain, .errorDisk,
        .errorDatabase, .errorService, .errorPushUnknown, .errorPushNone, .errorBothIDs, .errorState,
        .errorNoPushCredential, .errorCredentialUnusable, .errorCredentialNumber, .errorBundleID,
        .errorFaultCount, .errorFaultReason, .errorFaultStatus, .errorFaultRate, .errorFaultRateNumber,
        .errorFaultRange, .errorFaultWhole,
    ]

    /// What fields of requests are called on the forms that fill them in.
    private static let fields: [String: Phrase] = [
        "schedule": .schedules, "schedule.rrule": .rule, "schedule.until": .until, "schedule.timezone": .zone,
        "until": .until, "rule": .rule, "zone": .zone, "timezone": .zone, "where": .condition,
        "channels": .channels, "push_time": .dateAndTime, "expiration_interval": .lifetime,
        "flow_control": .pace, "data": .content, "data.badge": .badge, "data.sound": .sound,
        "data.interruption-level": .interruption, "data.collapse-id": .collapse, "topic": .topic,
        "prod": .environment, "recordDays": .recordDays,
        "installationDays": .installationDays, "auditDays": .auditDays,
        "quietHours.startMinute": .quietHours, "quietHours.endMinute": .quietHours,
        "frequencyCap.countMax": .capCount, "frequencyCap.seconds": .capSpan,
    ]

    /// Longer texts are shown as they are.
    private static let byteCountMax = 2_000
    /// How deep a text stands in another: an error in a field in a request.
    private static let depthMax = 3

    /// An error's text in a language; as it is where there is none.
    static func text(_ message: String, in language: Language) -> String {
        language == .english ? message : translated(message, language, depth: 0) ?? message
    }

    private static func translated(_ message: String, _ language: Language, depth: Int) -> String? {
        guard depth < depthMax, message.utf8.count <= byteCountMax else { return nil }
        for template in templates {
            guard let values = template.values(of: message) else { continue }
            return template.phrase.text(
                in: language,
                values.map { value in
                    switch value.kind {
                    case .quoted: value.text
                    case .field: field(value.text, language)
                    case .text: translated(value.text, language, depth: depth + 1) ?? value.text
                    }
                })
        }
        return nil
    }

    /// A field's name; one inside another stands after it: `schedule: zone`.
    private static func field(_ path: String, _ language: Language) -> String {
        path.split(separator: ": ").map { part in
            fields[String(part)]?.text(in: language) ?? String(part)
        }.joined(separator: "：")
    }

    private static let templates = phrases.map(ErrorTemplate.init)
        .sorted { ($1.literalCount, $0.phrase.english) < ($0.literalCount, $1.phrase.english) }
}
