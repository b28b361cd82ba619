internal import APNs

/// What a finding of a message's check says in the console's own words, by the rule that found it.
enum FindingText {
    /// The text of a rule; nil for one that is not known.
    static func phrase(rule: String) -> Phrase? {
        if let known = LintRule(rawValue: rule) { return phrase(known) }
        return switch rule {
        case "message": .lintMessage
        case "missing-default-text": .lintMissingDefaultText
        case "variable-without-default": .lintVariableWithoutDefault
        case "unreadable-variable": .lintUnreadableVariable
        default: nil
        }
    }

    private static func phrase(_ rule: LintRule) -> Phrase {
        switch rule {
        case .empty: .lintEmpty
        case .size: .lintSize
        case .encoding: .lintEncoding
        case .json: .lintJSON
        case .notObject: .lintNotObject
        case .repeatedKey: .lintRepeatedKey
        case .missingAPS: .lintMissingAPS
        case .misspeltKey: .lintMisspeltKey
        case .misplacedKey: .lintMisplacedKey
        case .unknownKey: .lintUnknownKey
        case .obsoleteKey: .lintObsoleteKey
        case .wrongType: .lintWrongType
        case .nullValue: .lintNullValue
        case .switchOff: .lintSwitchOff
        case .emptyAlert: .lintEmptyAlert
        case .invisible: .lintInvisible
        case .argumentsWithoutKey: .lintArguments
        case .badgeRange: .lintBadgeRange
        case .soundShape: .lintSoundShape
        case .volumeRange: .lintVolumeRange
        case .interruptionLevel: .lintInterruption
        case .relevanceRange: .lintRelevance
        case .mutableWithoutAlert: .lintMutable
        case .simulatorKey: .lintSimulatorKey
        case .simulatorTarget: .lintSimulatorTarget
        case .event: .lintEvent
        case .missingPart: .lintMissingPart
        case .needlessPart: .lintNeedlessPart
        case .instant: .lintInstant
        case .channelID: .lintChannelID
        case .contentChanged: .lintContentChanged
        case .pushType: .lintPushType
        case .missingPushType: .lintMissingPushType
        case .pushTypeMismatch: .lintTypeMismatch
        case .backgroundVisible: .lintBackgroundVisible
        case .backgroundPriority: .lintBackgroundPriority
        case .priority: .lintPriority
        case .topic: .lintTopic
        case .topicSuffix: .lintTopicSuffix
        case .expiration: .lintExpiration
        case .relativeExpiration: .lintRelativeExpiration
        case .expired: .lintExpired
        case .distantExpiration: .lintDistantExpiration
        case .collapseID: .lintCollapseID
        case .notificationID: .lintNotificationID
        case .token: .lintToken
        }
    }
}
