extension Phrase {
    // What the service says of a push that it refuses: its times, message and audience.

    static let errorBesideCount = Phrase(
        "{0}: stands beside COUNT; a rule may have one of the two",
        "{0}：不能与 COUNT 同时使用")
    static let errorOrdinalIn = Phrase(
        "{0}: found '{1}' in a {2} rule; an ordinal needs FREQ=MONTHLY or YEARLY",
        "{0}：{2} 规则中不能使用“{1}”，序数只能用于 FREQ=MONTHLY 或 YEARLY")
    static let errorInWeekly = Phrase(
        "{0}: may not stand in a WEEKLY rule (RFC 5545)",
        "{0}：不能用于 WEEKLY 规则（RFC 5545）")
    static let errorNeedsPart = Phrase("{0}: needs another BY part to choose from", "{0}：需要另一个 BY 部分可供选择")
    static let errorSubdaily = Phrase(
        "{0}: may not stand in a rule that repeats within a day",
        "{0}：不能用于一天内重复的规则")
    static let errorBesideTimes = Phrase(
        "{0}: may not stand beside BYHOUR, BYMINUTE or BYSECOND",
        "{0}：不能与 BYHOUR、BYMINUTE 或 BYSECOND 同时使用")
    static let errorNeverFires = Phrase("{0}: the rule never fires in its time", "{0}：该规则在有效期内不会触发")
    static let errorTimeText = Phrase(
        "{0}: '{1}' was found, a time such as 2027-03-12T09:00:00 is needed",
        "{0}：“{1}”无效，需要 2027-03-12T09:00:00 之类的时间")
    static let errorDaysAhead = Phrase("{0}: at most {1} days ahead are allowed", "{0}：最多可提前 {1} 天")
    static let errorLocalOver = Phrase("{0}: this local time is over everywhere", "{0}：这个本地时间在所有时区都已过去")
    static let errorPushTime = Phrase(
        "{0}: a time such as 2027-03-12T09:00:00.000Z is needed, or one without a zone for each device's own local time",
        "{0}：需要 2027-03-12T09:00:00.000Z 之类的时间；不带时区则按每台设备的本地时间")
    static let errorLifetime = Phrase("{0}: a whole number of seconds above 0 is needed", "{0}：需要大于 0 的整数秒数")
    static let errorPaceNumber = Phrase("{0}: a whole number of devices a second is needed", "{0}：需要整数")
    static let errorTimeAndSchedule = Phrase(
        "push_time and schedule: one of them is allowed",
        "发送时间与周期规则只能填写一项")
    static let errorRuleNeeded = Phrase(
        "{0}: a rule such as FREQ=DAILY;BYHOUR=9;BYMINUTE=0 is needed",
        "{0}：需要 FREQ=DAILY;BYHOUR=9;BYMINUTE=0 之类的规则")
    static let errorBodySize = Phrase(
        "the body has {0} bytes, {1} are allowed for a push",
        "推送请求有 {0} 字节，最多允许 {1} 字节")
    static let errorAnyBodySize = Phrase("the body has {0} bytes, {1} are allowed", "请求有 {0} 字节，最多允许 {1} 字节")
    static let errorPayloadSize = Phrase(
        "{0}: the payload has {1} bytes of JSON, APNs takes {2}",
        "{0}：推送内容的 JSON 有 {1} 字节，APNs 最多接受 {2} 字节")
    static let errorPayloadSizeIn = Phrase(
        "{0}: the payload in {1} has {2} bytes of JSON, APNs takes {3}",
        "{0}：语言为 {1} 的推送内容的 JSON 有 {2} 字节，APNs 最多接受 {3} 字节")
    static let errorObjectNeeded = Phrase("{0}: an object is needed", "{0}：需要对象")
    static let errorDepth = Phrase("{0}: a value nests deeper than {1} levels", "{0}：嵌套超过 {1} 层")
    static let errorActivityEvent = Phrase(
        "{0}: a Live Activity needs start, update or end",
        "{0}：实时活动需要 start、update 或 end")
    static let errorCollapse = Phrase(
        "{0}: a collapse id has at most {1} bytes of UTF-8, not {2}",
        "{0}：折叠标识最长 {1} 字节，实际为 {2} 字节")
    static let errorCollapseEmpty = Phrase("{0}: a collapse id must not be empty", "{0}：折叠标识不能为空")
    static let errorCollapseText = Phrase(
        "{0}: a collapse id must not hold control characters or begin or end with a blank",
        "{0}：折叠标识不能包含控制字符，首尾不能是空格")
    static let errorChannelIDLength = Phrase(
        "{0}: a channel id has 1 to {1} characters, not {2}",
        "{0}：频道 ID 应为 1 到 {1} 个字符，实际为 {2} 个")
    static let errorChannelIDText = Phrase(
        "{0}: a channel id is base64 with its padding",
        "{0}：频道 ID 应为带填充的 base64")
    static let errorBroadcastFor = Phrase(
        "{0}: a broadcast goes to whoever follows its channel; there is no where, channels or device_ids with it",
        "{0}：广播发给订阅该频道的所有设备，不能再指定条件、频道或令牌")
    static let errorBroadcastTime = Phrase(
        "{0}: a broadcast goes to whoever follows its channel; its time is the same for all, so it needs a time zone",
        "{0}：广播对所有设备同时发送，需要指定时区")
    static let errorBroadcastSchedule = Phrase(
        "{0}: a broadcast goes to whoever follows its channel; its times are the same for all, so schedule.timezone names a zone",
        "{0}：广播对所有设备同时发送，周期规则需要指定时区")
    static let errorBroadcastArticles = Phrase(
        "{0}: a broadcast goes to whoever follows its channel; it has no articles to choose from",
        "{0}：广播不能使用摘要文章")
    static let errorBroadcastActivity = Phrase(
        "{0}: only updates and ends of Live Activities can be broadcast",
        "{0}：只有实时活动的更新和结束可以广播")
    static let errorBroadcastVariables = Phrase(
        "{0}: a broadcast has no variables and does not raise badges",
        "{0}：广播不能使用变量，也不能增加角标")
    static let errorTopicEmpty = Phrase("topic: a topic must not be empty", "主题（Topic）：不能为空")
    static let errorTopicLength = Phrase(
        "topic: a topic has at most {0} bytes, not {1}",
        "主题（Topic）：最长 {0} 字节，实际为 {1} 字节")
    static let errorTopicText = Phrase(
        "topic: a topic consists of ASCII letters, digits, '.' and '-'; found {0}",
        "主题（Topic）：只能包含英文字母、数字、“.”和“-”，发现 {0}")
    static let errorTopicSuffix = Phrase(
        "topic: with the suffix of {0} it is longer than {1} bytes",
        "主题（Topic）：加上 {0} 的后缀后超过 {1} 字节")
    static let errorChannelText = Phrase(
        "channels: {0} is no channel: letters, digits, '_', '-', '=' and Chinese characters are allowed",
        "频道：{0} 不是有效的频道名，允许字母、数字、“_”“-”“=”和汉字")
    static let errorChannelsEmpty = Phrase("channels: the array is empty", "频道：不能为空")
    static let errorOperatorBeside = Phrase(
        "the operator {0} was found beside fields; $and, $or, $nor and $not are allowed",
        "条件：操作符 {0} 不能与字段并列，允许 $and、$or、$nor 和 $not")
    static let errorOperatorUnknown = Phrase(
        "{0}: the operator {1} was found; $ne, $lt, $lte, $gt, $gte, $in, $nin, $all, $size, $exists, $regex, $not, $nearSphere and $within are allowed",
        "{0}：不支持操作符 {1}，允许 $ne、$lt、$lte、$gt、$gte、$in、$nin、$all、$size、$exists、$regex、$not、$nearSphere 和 $within"
    )
    static let errorConditionsEmpty = Phrase(
        "{0}: an empty array was found, at least one condition is needed",
        "{0}：数组为空，至少需要一个条件")
    static let errorElementsObjects = Phrase(
        "{0}: {1} was found, its elements must be objects",
        "{0}：实际为 {1}，元素必须是对象")
    static let errorKeyAmong = Phrase("{0}: the key {1} stands among operators", "{0}：键 {1} 不能与操作符并列")
    static let errorStandsAlone = Phrase("{0}: {1} stands alone", "{0}：{1} 不能单独使用")
    static let errorInterestOperator = Phrase(
        "{0}: an interest fades by the second; $lt, $lte, $gt, $gte and $exists are allowed, {1} was found",
        "{0}：兴趣值随时间衰减，只允许 $lt、$lte、$gt、$gte 和 $exists，不能使用 {1}")
    static let errorConditionCount = Phrase("where has more than {0} conditions", "条件：超过 {0} 个")
    static let errorConditionDepth = Phrase("where nests deeper than {0} levels", "条件：嵌套超过 {0} 层")
    static let errorRelation = Phrase(
        "$relatedTo: relations lead to other classes, and only _Installation lives here; add a channel to the installations that belong together and ask for it",
        "$relatedTo：关系指向其他 Class，而这里只有 _Installation；请为相关设备添加同一频道，再按频道查询")
    static let errorForeign = Phrase(
        "{0}: {1} reaches into {2}, and queries here see the fields of _Installation only; copy {3} onto the installation (beside {4}) and ask for it there",
        "{0}：{1} 需要访问 {2}，而这里只能查询 _Installation 的字段；请把 {3} 复制到设备上（与 {4} 并列）再查询")
    static let errorDateText = Phrase(
        "{0}: a Date with YYYY-MM-DDTHH:MM:SS.mmmZ is needed, {1} was found",
        "{0}：需要 YYYY-MM-DDTHH:MM:SS.mmmZ 格式的日期，实际为 {1}")
    static let errorDateISO = Phrase(
        "{0}: a Date needs iso as YYYY-MM-DDTHH:MM:SS.mmmZ, found {1}",
        "{0}：日期的 iso 应为 YYYY-MM-DDTHH:MM:SS.mmmZ，实际为 {1}")
    static let errorComparable = Phrase(
        "{0}: a number, a string or a Date is needed, {1} was found",
        "{0}：需要数字、字符串或日期，实际为 {1}")
    static let errorPointer = Phrase(
        "{0}: a Pointer needs className and objectId of letters, digits, '_' and '-', found {1} and {2}",
        "{0}：Pointer 的 className 和 objectId 只能包含字母、数字、“_”和“-”，实际为 {1} 和 {2}")
    static let errorZeroCharacter = Phrase(
        "{0}: a text has the character U+0000, which no field can hold",
        "{0}：文本包含字符 U+0000，字段不能保存")
    static let errorNoNumber = Phrase("{0}: {1} is no JSON number", "{0}：{1} 不是 JSON 数字")
    static let errorOperatorInValue = Phrase(
        "{0}: the operator {1} stands where a plain value is expected",
        "{0}：此处需要普通值，不能使用操作符 {1}")
    static let errorKeyParts = Phrase("a key of more than {0} parts in where", "条件：字段名超过 {0} 级")
    static let errorKeyText = Phrase(
        "{0} is no key: letters, digits and '_' are allowed, a letter first",
        "{0} 不是有效的字段名：允许字母、数字和“_”，以字母开头")
    static let errorKeyPart = Phrase(
        "{0} is no key: a part is empty, begins with '$', or has a quotation mark, backslash or control character",
        "{0} 不是有效的字段名：某一级为空、以“$”开头，或包含引号、反斜杠或控制字符")
    static let errorInterestTag = Phrase(
        "interests needs a tag, as in interests.sports",
        "interests 需要标签，例如 interests.sports")
    static let errorNoFields = Phrase("'{0}': {1} has no fields of its own", "“{0}”：{1} 没有下级字段")
    static let errorOptions = Phrase(
        "{0}: $options must be a string of i, m, s and x, {1} was found",
        "{0}：$options 必须是由 i、m、s、x 组成的字符串，实际为 {1}")
    static let errorPatternOptions = Phrase(
        "{0}: the options have {1}, i, m, s and x are allowed",
        "{0}：选项包含 {1}，允许 i、m、s 和 x")
    static let errorPatternSize = Phrase(
        "{0}: a pattern of {1} bytes, {2} are allowed",
        "{0}：正则表达式有 {1} 字节，最多允许 {2} 字节")
    static let errorPattern = Phrase("{0}: at byte {1}: {2}", "{0}：正则表达式第 {1} 字节有误：{2}")
    static let errorNumberFromZero = Phrase(
        "{0}: {1} must be a number from 0, {2} was found",
        "{0}：{1} 必须是不小于 0 的数字，实际为 {2}")
    static let errorBox = Phrase(
        "{0}: an object with $box and nothing else is needed, {1} was found",
        "{0}：需要只含 $box 的对象，实际为 {1}")
    static let errorBoxCorners = Phrase(
        "{0}: $box needs two GeoPoints, the south-western corner and the north-eastern one",
        "{0}：$box 需要两个 GeoPoint：西南角和东北角")
    static let errorBoxUpsideDown = Phrase(
        "{0}: $box has its southern corner at {1}°, north of its northern one at {2}°",
        "{0}：$box 的南角纬度 {1}° 高于北角纬度 {2}°")
    static let errorGeoPoint = Phrase(
        "{0}: a GeoPoint with latitude and longitude is needed, {1} was found",
        "{0}：需要包含 latitude 和 longitude 的 GeoPoint，实际为 {1}")
    static let errorDegrees = Phrase(
        "{0}: latitude {1}, longitude {2} were found; -90...90 and -180...180 are allowed",
        "{0}：纬度 {1}、经度 {2} 超出范围，允许 -90 到 90 和 -180 到 180")
    static let errorTooCostly = Phrase(
        "where: the query takes too long; fewer rows or a simpler condition will do",
        "条件：查询耗时过长，请缩小范围或简化条件")
}
