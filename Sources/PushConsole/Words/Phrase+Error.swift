extension Phrase {
    // What the service says of a value that it refuses, word for word, so that ErrorText finds it again.

    static let errorFound = Phrase("{0}: found '{1}'; allowed: {2}", "{0}：“{1}”无效，允许的值：{2}")
    static let errorWasFound = Phrase("{0}: {1} was found, {2} is needed", "{0}：实际为 {1}，需要{2}")
    static let errorWereFound = Phrase("{0}: {1} was found, {2} are needed", "{0}：实际为 {1}，需要{2}")
    static let errorQuoted = Phrase("{0}: \"{1}\" was found, {2} is needed", "{0}：“{1}”无效，需要{2}")
    static let errorAllowedRange = Phrase("{0}: {1} was found, {2} are allowed", "{0}：实际为 {1}，允许 {2}")
    static let errorValueCount = Phrase(
        "{0}: {1} values were found, {2} are allowed",
        "{0}：有 {1} 个值，最多允许 {2} 个")
    static let errorMissing = Phrase("{0}: missing; allowed: {1}", "{0}：缺少，允许的值：{1}")
    static let errorByteCount = Phrase("{0}: {1} bytes; allowed: {2}", "{0}：有 {1} 字节，最多允许 {2} 字节")
    static let errorListCount = Phrase("{0}: {1} values; allowed: {2}", "{0}：有 {1} 个值，最多允许 {2} 个")
    static let errorTwice = Phrase("{0}: given twice; allowed: once", "{0}：重复，只能出现一次")
    static let errorEmptyRule = Phrase("{0}: empty; allowed: {1}", "{0}：为空，需要{1}")
    static let errorIsEmpty = Phrase("{0}: it is empty", "{0}：不能为空")
    static let errorLetters = Phrase("{0}: 1 to {1} letters and digits are allowed", "{0}：允许 1 到 {1} 个字母和数字")
    static let errorNameLetters = Phrase(
        "{0}: 1 to 64 letters, digits and '_' are allowed",
        "{0}：允许 1 到 64 个字母、数字和“_”")
    static let errorRangeAllowed = Phrase("{0}: {1} are allowed", "{0}：允许 {1}")
    static let needZone = Phrase("a name such as America/New_York, or UTC", "America/New_York 之类的时区名称，或 UTC")
    static let needRuleParts = Phrase("parts such as FREQ=DAILY, divided by ';'", "以“;”分隔的部分，例如 FREQ=DAILY")
    static let needRuleExample = Phrase(
        "parts such as FREQ=DAILY;BYHOUR=9;BYMINUTE=0",
        "FREQ=DAILY;BYHOUR=9;BYMINUTE=0 之类的规则")
    static let needValue = Phrase("a value", "一个值")
    static let needPositive = Phrase("a whole number of 1 or more", "大于等于 1 的整数")
    static let needWholeNumbers = Phrase("whole numbers divided by ','", "以“,”分隔的整数")
    static let needOrdinalDays = Phrase(
        "MO, TU, WE, TH, FR, SA, SU, with an ordinal such as 2TU or -1FR",
        "MO、TU、WE、TH、FR、SA、SU，可带序数，例如 2TU 或 -1FR")
    static let needDays = Phrase("MO, TU, WE, TH, FR, SA, SU", "MO、TU、WE、TH、FR、SA 或 SU")
    static let needUntil = Phrase(
        "20270312T140000Z (UTC), 20270312T090000 (local) or 20270312",
        "20270312T140000Z（UTC）、20270312T090000（本地时间）或 20270312")
    static let needWindow = Phrase(
        "start, end and minutes such as 2200-0600/120",
        "起止时间和分钟数，例如 2200-0600/120")
    static let needTwoRanges = Phrase("{0} to {1} or {2} to {3}", "{0} 到 {1} 或 {2} 到 {3}")
    static let needOrdinal = Phrase("an ordinal of {0} to {1} or {2} to {3}", "序数 {0} 到 {1} 或 {2} 到 {3}")
    static let needRange = Phrase("{0} to {1}", "{0} 到 {1}")
    static let kindString = Phrase("a string", "字符串")
    static let kindNumber = Phrase("a number", "数字")
    static let kindBoolean = Phrase("a Boolean", "布尔值")
    static let kindArray = Phrase("an array", "数组")
    static let kindObject = Phrase("an object", "对象")
    static let kindNothing = Phrase("nothing", "空")
    static let needWhole = Phrase("a whole number", "整数")
    static let needStrings = Phrase("an array of strings", "字符串数组")
    static let needSwitch = Phrase("1 or 0", "1 或 0")
    static let needTruth = Phrase("true or false", "true 或 false")
    static let needLength = Phrase("a length", "长度")
    static let needOperators = Phrase("operators", "操作符")
    static let needTexts = Phrase("texts", "文本")
    static let needTextsOrArray = Phrase("a string or an array", "字符串或数组")
    static let needIncrement = Phrase("a number or \"Increment\"", "数字或 \"Increment\"")
    static let needLevel = Phrase(
        "passive, active, time-sensitive or critical",
        "passive、active、time-sensitive 或 critical")
    static let needEvent = Phrase("start, update or end", "start、update 或 end")
    static let needSeconds = Phrase("seconds since 1970", "自 1970 年起的秒数")
    static let needPriority = Phrase("10, 5 or 1", "10、5 或 1")
    static let needOneOf = Phrase("one of {0}", "以下之一：{0}")
    static let needFromTo = Phrase("a number from {0} to {1}", "{0} 到 {1} 的数字")
}
