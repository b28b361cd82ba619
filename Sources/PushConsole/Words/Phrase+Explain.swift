extension Phrase {
    // What an explanation found at each step.

    static let whyValue = Phrase("{0}", "{0}")
    static let whyPushStopped = Phrase("{0}: {1}", "{0}：{1}")
    static let whyInstallationGone = Phrase(
        "it is gone; it was there when the push was planned",
        "设备已删除；安排推送时还存在")
    static let whyInstallationUnknown = Phrase("there is none with this objectId", "没有 objectId 为此值的设备")
    static let whyInstallationSaved = Phrase("saved at {0}", "保存于 {0}")
    static let whyBroadcast = Phrase(
        "the push was broadcast: who follows its channel is known to APNs alone",
        "这是广播推送：只有 APNs 知道谁订阅了该频道")
    static let whyTokenNamed = Phrase("its token is among those of the push", "推送指定的令牌中有它")
    static let whyTokenNotNamed = Phrase("its token is not among those of the push", "推送指定的令牌中没有它")
    static let whyFieldFails = Phrase(
        "{0}: {1} {2} does not hold, found {3}",
        "{0}：不满足 {1} {2}，实际值为 {3}")
    static let whyFieldFailsMissing = Phrase(
        "{0}: {1} {2} does not hold, found nothing",
        "{0}：不满足 {1} {2}，没有该字段")
    static let whyFieldForbidden = Phrase(
        "{0}: {1} {2} must not hold, found {3}",
        "{0}：不应满足 {1} {2}，实际值为 {3}")
    static let whyFieldForbiddenMissing = Phrase(
        "{0}: {1} {2} must not hold, found nothing",
        "{0}：不应满足 {1} {2}，没有该字段")
    static let whyChannelsDiffer = Phrase("channels: it is in none of {0}", "未订阅以下任何频道：{0}")
    static let whyNotTest = Phrase("test: the push is for marked devices only", "此推送仅发给标记为测试的设备")
    static let whyMatches = Phrase("it matches the query", "符合查询条件")
    static let whyMatchedThen = Phrase(
        "(now; it matched when the push was planned)",
        "（以当前数据为准；安排推送时符合条件）")
    static let whyOptedIn = Phrase("it may be sent to", "可以接收推送")
    static let whyOptedOut = Phrase("valid is false: the device opted out", "valid 为 false：设备已退订")
    static let whyToken = Phrase("{0}…", "{0}…")
    static let whyTokenMissing = Phrase("the installation has no device token", "设备没有令牌")
    static let whyTokenMalformed = Phrase(
        "what it registered is no device token: {0}…",
        "注册的不是有效的设备令牌：{0}…")
    static let whyEnvironmentDiffers = Phrase(
        "the push is for {0}, the device registered in {1}",
        "推送面向{0}环境，设备注册在{1}环境")
    static let whyEnvironmentUnknown = Phrase(
        "not known yet; it is learned from APNs",
        "尚不清楚，将根据 APNs 的响应判断")
    static let whyCredentialFits = Phrase("for topic {0}", "适用于主题 {0}")
    static let whyCredentialMissing = Phrase("none of {0} fits topic {1}", "{0} 个凭证都不适用于主题 {1}")
    static let whyForTeam = Phrase("team {0}", "团队 {0}")
    static let whyForProfile = Phrase("profile {0}", "配置 {0}")
    static let whyBatchNever = Phrase("it was in no batch of the push", "该推送的所有批次都不包含此设备")
    static let whyBatchNotYet = Phrase("it is in no batch so far", "目前还没有批次包含此设备")
    static let whyBatch = Phrase("number {0}, from {1}", "第 {0} 批，{1} 起")
    static let whyClaimedAgain = Phrase("claimed {0} times", "共处理 {0} 次")
    static let whyRequestSince = Phrase("from {0}", "{0} 起")
    static let whyRequestNotYet = Phrase("not yet", "尚未发出")
    static let whyAnswerDetail = Phrase("{0}: {1}", "{0}：{1}")
    static let whyReceivedAt = Phrase("at {0}", "送达于 {0}")
    static let whyNotReceived = Phrase("no receipt was reported", "没有收到送达回执")
    static let whyOpenedAt = Phrase("at {0}", "打开于 {0}")
    static let whyNotOpened = Phrase("no opening was reported", "没有收到打开上报")
}
