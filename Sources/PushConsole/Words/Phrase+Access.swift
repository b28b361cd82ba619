extension Phrase {
    // Signing in, and refusals.

    static let signIn = Phrase("Sign in", "登录")
    static let signInTitle = Phrase("Sign in to Belfry", "登录 Belfry")
    static let signInLead = Phrase("The console of this push service.", "本推送服务的控制台。")
    static let userName = Phrase("Name", "用户名")
    static let password = Phrase("Password", "密码")
    static let newPassword = Phrase("New password", "新密码")
    static let passwordAgain = Phrase("The same password again", "再次输入密码")
    static let passwordHint = Phrase(
        "At least {0} characters, and not the same few again and again.",
        "至少 {0} 个字符，且不要只重复少数几个字符。")
    static let passwordsDiffer = Phrase("The two passwords differ.", "两次输入的密码不一致。")
    static let wrongPassword = Phrase("Name or password is wrong.", "用户名或密码错误。")
    static let tooManyAttempts = Phrase(
        "Too many attempts. Try again in {0} second.|Too many attempts. Try again in {0} seconds.",
        "尝试次数过多，请在 {0} 秒后重试。")
    static let noUsersYet = Phrase(
        "There is no user yet. Open the link that the service printed when it started, or run: belfry user add",
        "还没有用户。请打开服务启动时输出的链接，或运行 belfry user add。")
    static let setUp = Phrase("Set up", "初始设置")
    static let setUpTitle = Phrase("Make the first user", "创建第一个用户")
    static let setUpLead = Phrase(
        "It becomes the owner: may send, change apps and credentials, and add other users.",
        "该用户将成为所有者：可以发送推送、管理应用与凭证，并添加其他用户。")
    static let setUpNeedsLink = Phrase(
        "This needs the link that the service prints when it starts. Or make the first user on the command line.",
        "需要使用服务启动时输出的链接，也可以在命令行创建第一个用户。")
    static let createOwner = Phrase("Create owner", "创建所有者")
    static let signInFirst = Phrase(
        "You are not signed in any more. Sign in and try again.",
        "登录已失效，请重新登录后再试。")
    static let notAllowed = Phrase("Your role does not allow this.", "您的角色无权执行此操作。")
    static let foreignForm = Phrase("This came from another site and was refused.", "请求来自其他网站，已被拒绝。")
    static let staleForm = Phrase(
        "This form is too old. Load the page again and repeat it.",
        "表单已过期，请刷新页面后重试。")
    static let malformedForm = Phrase("The form could not be read.", "无法读取表单。")
    static let nothingHere = Phrase("There is nothing at this address.", "此地址没有内容。")
    static let refusalTitle = Phrase("That did not work", "操作未完成")
    static let busy = Phrase("Too much is asked at once. Try again in a moment.", "当前请求过多，请稍后再试。")
    static let outdated = Phrase(
        "This part of the service is about to be replaced by a newer one; nothing was changed. Try again in a moment.",
        "服务的这一部分即将被新版本替换，没有做任何更改，请稍后再试。")
    static let diskFull = Phrase("The service's disk is full; nothing was changed.", "服务器磁盘已满，没有做任何更改。")
    static let databaseFailed = Phrase(
        "The service's database failed; nothing was changed.",
        "数据库出错，没有做任何更改。")
}
