extension Phrase {
    // States of pushes and outcomes of devices.

    static let stateScheduled = Phrase("Scheduled", "已排定")
    static let stateRunning = Phrase("Sending", "发送中")
    static let statePaused = Phrase("Paused", "已暂停")
    static let stateDone = Phrase("Done", "已完成")
    static let stateCancelled = Phrase("Cancelled", "已取消")
    static let outcomePending = Phrase("Waiting", "等待中")
    static let outcomeAccepted = Phrase("Accepted", "已接受")
    static let outcomeUnanswered = Phrase("No answer", "无响应")
    static let outcomeExpired = Phrase("Expired", "已过期")
    static let outcomeCancelled = Phrase("Cancelled", "已取消")
    static let outcomeCapped = Phrase("Over the frequency cap", "超过频次上限")
    static let outcomeSkipped = Phrase("Skipped", "已跳过")
    static let outcomeMalformed = Phrase("Malformed token", "令牌格式错误")
    static let outcomeNoCredential = Phrase("No credential", "没有凭证")
    static let outcomeUnreachable = Phrase("APNs unreachable", "无法连接 APNs")
    static let outcomeNothingNew = Phrase("Nothing new", "没有新内容")
    static let outcomeInvalidContent = Phrase("Invalid content", "内容无效")
    static let outcomeRefused = Phrase("Refused", "被拒绝")
    static let adviceAccepted = Phrase(
        "APNs took it. The device may still be off, or not show it.",
        "APNs 已接受。设备可能关机或未显示通知。")
    static let adviceUnanswered = Phrase(
        "Sent, but the connection ended before an answer.",
        "已发送，但在收到响应前连接中断。")
    static let adviceExpired = Phrase("Its lifetime ended before its turn.", "轮到之前已超过有效期。")
    static let adviceCancelled = Phrase("The push was cancelled before its turn.", "轮到之前推送被取消。")
    static let adviceCapped = Phrase(
        "The device had as many pushes as the app allows.",
        "该设备收到的推送已达到应用设定的上限。")
    static let adviceSkipped = Phrase("It was gone or opted out when its turn came.", "轮到时设备已删除或已退订。")
    static let adviceMalformed = Phrase("What the app registered is no device token.", "应用注册的不是有效的设备令牌。")
    static let adviceNoCredential = Phrase(
        "Add a key or certificate that fits this environment and team.",
        "请添加适用于该环境和团队的密钥或证书。")
    static let adviceUnreachable = Phrase("The network or APNs was down for too long.", "网络或 APNs 中断时间过长。")
    static let adviceNothingNew = Phrase("The device has seen every article of the digest.", "设备已看过摘要中的全部文章。")
    static let adviceInvalidContent = Phrase(
        "The text made for this device is no valid notification.",
        "为该设备生成的内容不是有效的通知。")
    static let advicePending = Phrase("Its turn has not come.", "尚未轮到。")
    static let adviceBadToken = Phrase(
        "The token is gone or belongs elsewhere; nothing to do.",
        "令牌已失效或不属于此应用，无需处理。")
    static let adviceNever = Phrase("This notification cannot be delivered to this device.", "此通知无法送达该设备。")
    static let adviceFix = Phrase(
        "Your set-up is at fault: check credential, topic and headers.",
        "配置有误：请检查凭证、主题和请求头。")
    static let adviceLater = Phrase(
        "APNs was busy; it was tried again as often as allowed.",
        "APNs 繁忙，已按允许的次数重试。")
}
