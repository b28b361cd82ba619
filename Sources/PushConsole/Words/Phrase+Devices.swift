extension Phrase {
    // Installations, schedules, events.

    static let noSchedules = Phrase("Nothing is scheduled", "没有定时推送")
    static let noSchedulesLead = Phrase(
        "Pushes for later and recurring ones appear here with their next times.",
        "定时和周期推送会在此显示，并列出接下来的发送时间。")
    static let moreSchedules = Phrase("{0} more is not shown.|{0} more are not shown.", "还有 {0} 项未显示。")
    static let searchFor = Phrase("Search", "搜索")
    static let searchHint = Phrase(
        "objectId, device token, installationId, a channel — or a condition such as age > 30, appVersion = \"3.2\", city ~ Shang",
        "objectId、设备令牌、installationId、频道，或条件，例如 age > 30、appVersion = \"3.2\"、city ~ 上")
    static let searching = Phrase("Searching…", "搜索中…")
    static let nothingFound = Phrase("Nothing found.", "没有找到。")
    static let device = Phrase("Device", "设备")
    static let updated = Phrase("Updated", "更新时间")
    static let created = Phrase("Created", "创建时间")
    static let optedOut = Phrase("opted out", "已退订")
    static let ownFields = Phrase("The app's own fields", "自定义字段")
    static let none = Phrase("None.", "无。")
    static let interests = Phrase("Interests", "兴趣")
    static let history = Phrase("Recent pushes", "最近的推送")
    static let noHistory = Phrase("It was in none of the newest pushes.", "最近的推送均未包含此设备。")
    static let mayBeSent = Phrase("May be sent to", "可接收推送")
    static let deviceToken = Phrase("Device token", "设备令牌")
    static let team = Phrase("Team id", "团队 ID")
    static let tokenRegistered = Phrase("Token registered", "令牌注册时间")
    static let outcome = Phrase("Outcome", "结果")
    static let why = Phrase("Why?", "原因")
    static let explainTitle = Phrase("What happened on the way", "投递过程")
    static let stoppedAt = Phrase("It was stopped at this step: {0}.", "在此步骤中止：{0}。")
    static let notStopped = Phrase("Nothing stopped it, as far as is known here.", "就目前所知，没有任何步骤阻止它。")
    static let stepPassed = Phrase("passed", "通过")
    static let stepFailed = Phrase("stopped", "中止")
    static let stepOpen = Phrase("open", "待定")
    static let push = Phrase("Push", "推送")
    static let installation = Phrase("Installation", "设备")
    static let credential = Phrase("Credential", "凭证")
    static let batch = Phrase("Batch", "批次")
    static let answerOfAPNs = Phrase("Answer of APNs", "APNs 响应")
    static let noEvents = Phrase("No events yet", "还没有事件")
    static let noEventsLead = Phrase(
        "Apps report what people do with POST /1.1/events.",
        "应用通过 POST /1.1/events 上报用户行为。")
    static let interestsLead = Phrase(
        "What events say about people: how many installations care for a tag.",
        "根据事件得出：每个标签有多少设备感兴趣。")
    static let eventsPerDay = Phrase("Events per day", "每日事件")
    static let day = Phrase("Day", "日期")
    static let tag = Phrase("Tag", "标签")
}
