extension Phrase {
    // The page of one push.

    static let progress = Phrase("Progress", "进度")
    static let progressOf = Phrase("{0} of {1}", "{0} / {1}")
    static let byReason = Phrase("Outcomes by reason", "按原因统计")
    static let timeline = Phrase("Timeline", "时间线")
    static let request = Phrase("Request", "请求")
    static let content = Phrase("Content", "推送内容")
    static let explainDevice = Phrase("Why did a device not get it?", "为什么某台设备没有收到？")
    static let explainLead = Phrase("Shows every step for one device, with the evidence.", "逐步说明某台设备的情况及依据。")
    static let installationID = Phrase("Installation (objectId)", "设备（objectId）")
    static let explain = Phrase("Explain", "说明原因")
    static let isSchedule = Phrase(
        "This is a schedule: it makes a push each time it is due.",
        "这是定时计划：每次到期时生成一条推送。")
    static let pause = Phrase("Pause", "暂停")
    static let resume = Phrase("Resume", "继续")
    static let cancel = Phrase("Cancel", "取消")
    static let cancelQuestion = Phrase(
        "Cancel this push? Devices that wait will not get it.",
        "确定取消此推送？尚未发送的设备将不会收到。")
    static let composeAgain = Phrase("Compose again", "再次撰写")
    static let accepted2 = Phrase("Request accepted", "请求已接受")
    static let willBeDue = Phrase("Will be due", "将到期")
    static let wasDue = Phrase("Was due", "到期")
    static let lastOutcome = Phrase("Last outcome", "最后结果")
    static let expires = Phrase("Expires", "过期")
    static let queueTimes = Phrase(
        "Waited for their turn: median {0} ms, p99 {1} ms",
        "排队时间：中位数 {0} 毫秒，p99 {1} 毫秒")
    static let audience = Phrase("Audience", "受众")
    static let audienceNow = Phrase("Audience as it is now", "当前受众")
    static let audienceNowLead = Phrase(
        "By environment, language and time zone. Devices may have come and gone since the push.",
        "按环境、语言和时区统计。推送之后设备可能有增减。")
    static let outcomesBy = Phrase("Outcomes by environment, language and time zone", "按环境、语言和时区统计结果")
    static let outcomesByLead = Phrase(
        "Each device counts where it is registered now.",
        "每台设备按当前注册的信息统计。")
    static let outcomesOfSome = Phrase("Of the first {0} devices.", "仅统计前 {0} 台设备。")
    static let removedSince = Phrase("removed since", "之后已删除")
    static let nobodyNow = Phrase("No device matches now.", "当前没有匹配的设备。")
    static let othersCount = Phrase("{0} other|{0} others", "其他 {0} 项")
    static let condition = Phrase("Condition", "条件")
    static let environment = Phrase("Environment", "环境")
    static let pace = Phrase("Devices a second", "每秒设备数")
    static let perSecond = Phrase("at most {0} a second", "每秒最多 {0} 台")
    static let recordID = Phrase("Record", "记录")
    static let tokensCount = Phrase("{0} device token|{0} device tokens", "{0} 个设备令牌")
    static let inChannels = Phrase("Channels: {0}", "频道：{0}")
    static let byCondition = Phrase("By condition", "按条件")
    static let testDevicesOnly = Phrase("Test devices only", "仅测试设备")
    static let everyone = Phrase("Everyone", "所有设备")
    static let onDeviceClock = Phrase("each device's own clock", "按设备本地时间")
    static let atOnce = Phrase("Now", "立即")
    static let production = Phrase("Production", "生产")
    static let sandbox = Phrase("Sandbox", "沙盒")
    static let anyEnvironment = Phrase("Both", "全部")
}
