extension Phrase {
    // What is wrong with a message, by the rule that found it. English pages show the finding's own text instead,
    // which has its values too.

    static let lintEmpty = Phrase("The payload is empty.", "推送内容为空。")
    static let lintSize = Phrase("The payload is larger than APNs takes.", "推送内容超过 APNs 允许的大小，请精简。")
    static let lintEncoding = Phrase("The payload is not UTF-8.", "推送内容不是有效的 UTF-8。")
    static let lintJSON = Phrase("The payload is not JSON.", "推送内容不是有效的 JSON。")
    static let lintNotObject = Phrase("The payload is no object.", "推送内容必须是 JSON 对象。")
    static let lintRepeatedKey = Phrase("A key occurs more than once.", "同一个键出现了多次。")
    static let lintMissingAPS = Phrase("The key aps is missing.", "缺少 aps。")
    static let lintMisspeltKey = Phrase("A key is misspelt.", "键名拼写有误。")
    static let lintMisplacedKey = Phrase("A key stands in the wrong place.", "键的位置不对。")
    static let lintUnknownKey = Phrase("The system does not know this key.", "系统不识别这个键，不会有任何效果。")
    static let lintObsoleteKey = Phrase("Today's systems ignore this key.", "现在的系统已忽略这个键，请删除。")
    static let lintWrongType = Phrase("The value has the wrong type.", "值的类型不对。")
    static let lintNullValue = Phrase("The value is null.", "值为 null，请删除这个键。")
    static let lintSwitchOff = Phrase("The switch has no effect like this.", "这样写没有效果，请删除这个键。")
    static let lintEmptyAlert = Phrase("The alert has no text.", "通知没有文字，设备上不会显示。")
    static let lintInvisible = Phrase(
        "It shows, counts and plays nothing.",
        "这条通知既不显示文字，也没有角标和声音。")
    static let lintArguments = Phrase("Arguments without their key.", "有本地化参数，但缺少对应的本地化键。")
    static let lintBadgeRange = Phrase("The badge is below zero.", "角标不能为负数。")
    static let lintSoundShape = Phrase("The sound is not written as the system reads it.", "声音的写法不对。")
    static let lintVolumeRange = Phrase("The volume is outside 0 to 1.", "音量必须在 0 到 1 之间。")
    static let lintInterruption = Phrase("There is no such interruption level.", "没有这个打扰级别。")
    static let lintRelevance = Phrase("The relevance score is outside 0 to 1.", "相关度必须在 0 到 1 之间。")
    static let lintMutable = Phrase(
        "No service extension will see it.",
        "没有可显示的文字，通知服务扩展不会被调用。")
    static let lintSimulatorKey = Phrase("The key belongs into simulator files.", "这个键只用于模拟器文件。")
    static let lintSimulatorTarget = Phrase("The simulator's target is wrong.", "模拟器文件的目标 Bundle ID 有误。")
    static let lintEvent = Phrase("The Live Activity's event is wrong.", "实时活动的 event 缺失或无效。")
    static let lintMissingPart = Phrase("A part is missing.", "缺少必需的部分。")
    static let lintNeedlessPart = Phrase("A part has no effect here.", "这一部分在此处不起作用。")
    static let lintInstant = Phrase("This is no time in seconds.", "时间必须是自 1970 年起的秒数。")
    static let lintChannelID = Phrase("The channel's id is wrong.", "广播频道的 ID 无效。")
    static let lintContentChanged = Phrase("content-changed is missing.", "刷新小组件或控件需要 content-changed。")
    static let lintPushType = Phrase("There is no such push type.", "没有这个推送类型。")
    static let lintMissingPushType = Phrase("The push type is missing.", "缺少推送类型（apns-push-type）。")
    static let lintTypeMismatch = Phrase(
        "Push type and payload do not belong together.",
        "推送类型与推送内容不相符。")
    static let lintBackgroundVisible = Phrase(
        "A background push with something visible.",
        "后台推送不应包含可见内容。")
    static let lintBackgroundPriority = Phrase(
        "A background push has priority 5.",
        "后台推送的优先级必须是 5，请删除或改为 5。")
    static let lintPriority = Phrase("The priority does not suit.", "优先级不存在，或不适合该推送类型。")
    static let lintTopic = Phrase("The topic is wrong.", "主题（Topic）无效。")
    static let lintTopicSuffix = Phrase("The topic's end does not suit.", "主题（Topic）的后缀与推送类型不符。")
    static let lintExpiration = Phrase("The expiration is wrong.", "过期时间无效。")
    static let lintRelativeExpiration = Phrase(
        "The expiration looks like a duration.",
        "过期时间看起来是时长，应填写时间点。")
    static let lintExpired = Phrase("The expiration has passed.", "过期时间已过。")
    static let lintDistantExpiration = Phrase(
        "APNs keeps nothing that long.",
        "过期时间太远：APNs 最多保存 30 天。")
    static let lintCollapseID = Phrase("The collapse id is wrong.", "折叠标识无效，最长 64 字节。")
    static let lintNotificationID = Phrase("The notification's id is no UUID.", "通知 ID 不是 UUID。")
    static let lintToken = Phrase("The device token is wrong.", "设备令牌无效。")
    static let lintMessage = Phrase("The message cannot be made.", "无法生成推送内容。")
    static let lintMissingDefaultText = Phrase(
        "There is no text for other languages.",
        "没有其他语言可用的默认文本，请填写默认文本。")
    static let lintVariableWithoutDefault = Phrase(
        "A variable has no default.",
        "变量没有默认值：设备没有该字段时会显示为空。可写成 {{字段|默认值}}。")
    static let lintUnreadableVariable = Phrase(
        "A variable names no field.",
        "变量名不是有效的字段名，会按原样显示。")
}
