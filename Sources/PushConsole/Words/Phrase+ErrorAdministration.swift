extension Phrase {
    // What the service says of users, apps, credentials and itself.

    static let errorUserExists = Phrase("name: there is a user with this name already", "用户名：已存在同名用户")
    static let errorUserUnknown = Phrase("name: there is no user with this name", "用户名：没有这个用户")
    static let errorLastOwner = Phrase("role: the last owner has to stay one", "角色：至少要保留一个所有者")
    static let errorUserName = Phrase(
        "name: allowed are 1 to {0} characters without blanks",
        "用户名：允许 1 到 {0} 个字符，不能有空格")
    static let errorUserThere = Phrase("the console has a user already", "控制台已有用户")
    static let errorAppName = Phrase(
        "name: allowed are 1 to {0} characters without control characters",
        "名称：允许 1 到 {0} 个字符，不能有控制字符")
    static let errorAppExists = Phrase("id: there is an app {0} already", "ID：应用 {0} 已存在")
    static let errorAppGone = Phrase("there is no app number {0}", "应用 {0} 已不存在")
    static let errorAppUnknown = Phrase("there is no app {0}", "没有应用 {0}")
    static let errorRangeFound = Phrase(
        "{0}: {1} was found, {2} to {3} are allowed",
        "{0}：实际为 {1}，允许 {2} 到 {3}")
    static let errorCredentialGone = Phrase("the app has no credential {0}", "该应用没有凭证 {0}")
    static let errorAppleID = Phrase(
        "{0} '{1}': Apple's ids have 10 letters and digits",
        "{0}“{1}”：应为 10 个字母和数字")
    static let nameKeyID = Phrase("key id", "密钥 ID ")
    static let nameTeamID = Phrase("team id", "团队 ID ")
    static let errorP8Size = Phrase(
        "the file has {0} bytes; a .p8 file has some 260, and {1} is the limit",
        "文件有 {0} 字节；.p8 文件约 260 字节，最多 {1} 字节")
    static let errorP8UTF16 = Phrase(
        "the .p8 file is UTF-16 text: save it as UTF-8 or ASCII",
        "该 .p8 文件是 UTF-16 文本，请另存为 UTF-8 或 ASCII")
    static let errorP8Empty = Phrase("the .p8 file is empty", "该 .p8 文件为空")
    static let errorP8Keys = Phrase(
        "the .p8 file holds {0} private keys; keep one file for each key",
        "该 .p8 文件包含 {0} 个私钥，每个文件只能有一个")
    static let errorP8CutOff = Phrase(
        "the .p8 file is damaged or cut off: its PRIVATE KEY block does not hold a whole key ({0}); download or copy it again",
        "该 .p8 文件已损坏或不完整：PRIVATE KEY 部分不是完整的密钥（{0}），请重新下载或复制")
    static let errorP8Kind = Phrase(
        "the .p8 file holds {0}; an APNs key is an elliptic curve key on P-256",
        "该 .p8 文件包含的是 {0}；APNs 密钥应为 P-256 椭圆曲线密钥")
    static let errorP8Halves = Phrase(
        "the .p8 file is damaged: its private and public halves do not fit together",
        "该 .p8 文件已损坏：私钥与公钥不匹配")
    static let errorP8Breaks = Phrase(
        "the .p8 text has \"\\n\" written out instead of line breaks: replace them by line breaks",
        "密钥文本中的换行被写成了 \"\\n\"，请替换为真正的换行")
    static let errorP8Damaged = Phrase("the .p8 file is damaged: {0}", "该 .p8 文件已损坏：{0}")
    static let errorP8Encrypted = Phrase(
        "the .p8 file is encrypted; Apple's are not. Decrypt it with: openssl pkcs8 -in FILE -out AuthKey.p8",
        "该 .p8 文件已加密，而 Apple 的文件不加密。请解密：openssl pkcs8 -in FILE -out AuthKey.p8")
    static let errorP8SEC1 = Phrase(
        "the file holds an \"{0}\" block (SEC 1), not a \"PRIVATE KEY\" block (PKCS#8). Convert it with: openssl pkcs8 -topk8 -nocrypt -in FILE -out AuthKey.p8",
        "文件包含“{0}”（SEC 1），而不是“PRIVATE KEY”（PKCS#8）。请转换：openssl pkcs8 -topk8 -nocrypt -in FILE -out AuthKey.p8"
    )
    static let errorP8RSA = Phrase(
        "the file holds an RSA key; an APNs key is an elliptic curve key on P-256. RSA keys belong to certificates",
        "文件包含 RSA 密钥；APNs 密钥应为 P-256 椭圆曲线密钥，RSA 密钥用于证书")
    static let errorP8Public = Phrase(
        "the file holds a public key; signing needs the private key (PRIVATE KEY)",
        "文件包含公钥；签名需要私钥（PRIVATE KEY）")
    static let errorP8Certificate = Phrase(
        "the file holds a certificate, not a key. Use it as a certificate with its own key, or give the AuthKey_….p8 file",
        "文件包含证书而不是密钥。请连同其私钥作为证书使用，或选择 AuthKey_….p8 文件")
    static let errorP8Request = Phrase("the file holds a certificate request, not a key", "文件包含证书请求，而不是密钥")
    static let errorP8Block = Phrase(
        "the file holds a \"{0}\" block; a .p8 file holds a \"PRIVATE KEY\" block",
        "文件包含“{0}”；.p8 文件应包含“PRIVATE KEY”")
    static let errorP8Lines = Phrase(
        "the .p8 file lacks its first and last line, \"-----BEGIN PRIVATE KEY-----\" and \"-----END PRIVATE KEY-----\"",
        "该 .p8 文件缺少首尾两行：“-----BEGIN PRIVATE KEY-----”和“-----END PRIVATE KEY-----”")
    static let errorP8Web = Phrase(
        "the file is a web page or XML, not a .p8 key: download it again",
        "文件是网页或 XML，不是 .p8 密钥，请重新下载")
    static let errorP8NoPEM = Phrase(
        "the file is not PEM text: a \"-----BEGIN PRIVATE KEY-----\" line is missing",
        "文件不是 PEM 文本：缺少“-----BEGIN PRIVATE KEY-----”行")
    static let errorP8IsP12 = Phrase(
        "the file is a PKCS#12 file (.p12): use it as a certificate, or give the AuthKey_….p8 file",
        "文件是 PKCS#12（.p12），请作为证书使用，或选择 AuthKey_….p8 文件")
    static let errorPEMBegin = Phrase("a BEGIN line does not end in \"-----\"", "BEGIN 行没有以“-----”结尾")
    static let errorPEMCutOff = Phrase(
        "cut off: there is a \"BEGIN {0}\" line but no \"END {1}\" line",
        "不完整：有“BEGIN {0}”行，但没有“END {1}”行")
    static let errorPEMEmpty = Phrase(
        "there is nothing between BEGIN {0} and END {1}",
        "BEGIN {0} 与 END {1} 之间没有内容")
    static let errorPEMDamaged = Phrase(
        "the text between BEGIN {0} and END {1} is damaged: it is not valid base64",
        "BEGIN {0} 与 END {1} 之间的内容已损坏：不是有效的 base64")
    static let errorNoPrivateKey = Phrase(
        "no private key found: a \"-----BEGIN PRIVATE KEY-----\" line is missing (found: {0})",
        "没有找到私钥：缺少“-----BEGIN PRIVATE KEY-----”行（找到：{0}）")
    static let errorPrivateKeys = Phrase("{0} private keys found where one is needed", "找到 {0} 个私钥，应只有一个")
    static let errorNoCertificate = Phrase(
        "no certificate found: a \"-----BEGIN CERTIFICATE-----\" line is missing",
        "没有找到证书：缺少“-----BEGIN CERTIFICATE-----”行")
    static let errorNotX509 = Phrase("not an X.509 certificate: {0}", "不是 X.509 证书：{0}")
    static let errorBlockDamaged = Phrase("the {0} block is damaged: {1}", "{0} 部分已损坏：{1}")
    static let errorKeyEncrypted = Phrase("the private key is encrypted: give its password", "私钥已加密，请填写密码")
    static let errorKeyPassword = Phrase(
        "the password of the private key is wrong, or its block is damaged",
        "私钥的密码错误，或内容已损坏")
    static let errorKeyOld = Phrase(
        "the private key has an old encryption, for which OpenSSL's legacy provider is missing here. Convert it where there is one: openssl pkcs8 -topk8 -v2 aes256 -in OLD -out NEW -provider legacy -provider default",
        "私钥使用旧的加密方式，此处的 OpenSSL 不支持。请在支持的机器上转换：openssl pkcs8 -topk8 -v2 aes256 -in OLD -out NEW -provider legacy -provider default"
    )
    static let errorPair = Phrase(
        "the private key does not belong to the certificate {0}: they were made as a pair, so one of the two files is the wrong one",
        "私钥与证书 {0} 不匹配：两者应成对使用，其中一个文件有误")
    static let errorP12Empty = Phrase("the .p12 file is empty", "该 .p12 文件为空")
    static let errorP12Size = Phrase(
        "the file has {0} bytes; {1} is the limit for a .p12 file",
        "文件有 {0} 字节，.p12 文件最多 {1} 字节")
    static let errorP12PEM = Phrase(
        "the file is PEM text, not a .p12 file: use it as PEM certificate and key",
        "文件是 PEM 文本而不是 .p12，请作为 PEM 证书和密钥使用")
    static let errorP12Not = Phrase(
        "the file is not a PKCS#12 file (.p12), or it is cut off",
        "文件不是 PKCS#12（.p12），或不完整")
    static let errorP12Decrypt = Phrase(
        "the .p12 file cannot be decrypted: its password is wrong or the file is damaged",
        "无法解密该 .p12 文件：密码错误或文件已损坏")
    static let errorP12Algorithm = Phrase(
        "the .p12 file is protected with an algorithm that OpenSSL lacks: {0}",
        "该 .p12 文件使用 OpenSSL 不支持的算法：{0}")
    static let errorP12NeedsPassword = Phrase("the .p12 file has a password: give it", "该 .p12 文件有密码，请填写")
    static let errorP12Password = Phrase("the password of the .p12 file is wrong", "该 .p12 文件的密码错误")
    static let errorP12NoKey = Phrase(
        "the .p12 file holds no private key: in Keychain Access, export the certificate together with the key below it",
        "该 .p12 文件没有私钥：请在“钥匙串访问”中将证书与其下方的私钥一起导出")
    static let errorP12NoCertificate = Phrase(
        "the .p12 file holds a private key but no certificate",
        "该 .p12 文件只有私钥，没有证书")
    static let errorP12Old = Phrase(
        "the .p12 file has the old RC2 encryption, for which OpenSSL's legacy provider is missing here. Convert it where there is one: openssl pkcs12 -legacy -in OLD.p12 -out BOTH.pem -nodes, then use BOTH.pem as certificate and key",
        "该 .p12 文件使用旧的 RC2 加密，此处的 OpenSSL 不支持。请在支持的机器上转换：openssl pkcs12 -legacy -in OLD.p12 -out BOTH.pem -nodes，再使用 BOTH.pem 作为证书和密钥"
    )
    static let errorNotPushCertificate = Phrase(
        "the certificate {0} is not one of Apple's push services: it lacks their extensions",
        "证书 {0} 不是 Apple 推送证书：缺少相应的扩展")
    static let errorCertificateEnded = Phrase("the certificate ended at {0}", "证书已于 {0} 过期")
    static let errorCertificateOnly = Phrase("the certificate is for {0} only", "该证书仅适用于 {0}")
    static let nameProduction = Phrase("production", "生产环境")
    static let nameSandbox = Phrase("sandbox", "沙盒环境")
    static let nameBoth = Phrase("{0} and {1}", "{0} 和 {1}")
    static let errorOverloaded = Phrase("the service has more work than it takes in; try again", "服务繁忙，请稍后再试")
    static let errorUnavailable = Phrase(
        "the service's database does not answer; nothing was changed, try again",
        "数据库没有响应，没有做任何更改，请稍后再试")
    static let errorUncertain = Phrase(
        "the service's database went away while the change was being kept: it may be kept, or not; a push that is sent again with the same req_id is sent once",
        "保存过程中数据库连接中断，更改可能已保存，也可能没有；再次提交同一表单只会发送一次")
    static let errorDisk = Phrase("the service's disk is full; nothing was changed", "服务器磁盘已满，没有做任何更改")
    static let errorDatabase = Phrase("the service's database failed; nothing was changed", "数据库出错，没有做任何更改")
    static let errorService = Phrase("the service failed", "服务出错")
    static let errorPushUnknown = Phrase("there is no push with this id", "没有此 ID 的推送")
    static let errorPushNone = Phrase("push: there is none with this id", "推送：没有此 ID 的推送")
    static let errorBothIDs = Phrase("push and installation: the ids of both are needed", "需要同时提供推送和设备的 ID")
    static let errorState = Phrase(
        "state: pushes are paused, resumed or cancelled, not {0}",
        "状态：推送只能暂停、继续或取消，不能设为 {0}")
    static let errorNoPushCredential = Phrase(
        "app '{0}' has no credential for this push; add one with 'belfry key add'",
        "应用“{0}”没有适用于此推送的凭证，请在“应用与凭证”中添加")
    static let errorCredentialUnusable = Phrase("its credential cannot be used: {0}", "无法使用其凭证：{0}")
    static let errorCredentialNumber = Phrase("credential {0} cannot be used: {1}", "无法使用凭证 {0}：{1}")
    static let errorBundleID = Phrase("'{0}' is no bundle id", "“{0}”不是有效的 Bundle ID")
    static let errorFaultCount = Phrase(
        "at most {0} faults can be set; remove some first",
        "最多可设置 {0} 个故障，请先移除一些")
    static let errorFaultReason = Phrase(
        "a fault has as its reason a text of 1 to 100 bytes",
        "故障的原因应为 1 到 100 字节的文本")
    static let errorFaultStatus = Phrase(
        "a fault with the undocumented reason \"{0}\" needs a status from 400 to 599",
        "“{0}”不是 APNs 的标准原因，请使用标准原因")
    static let errorFaultRate = Phrase("a fault has a rate from 0 to 1, not {0}", "比例应为 0 到 1，实际为 {0}")
    static let errorFaultRateNumber = Phrase("a fault has as its rate a number from 0 to 1", "比例应为 0 到 1 的数字")
    static let errorFaultRange = Phrase(
        "a fault has a {0} from {1} to {2}, not {3}",
        "{0} 应为 {1} 到 {2}，实际为 {3}")
    static let errorFaultWhole = Phrase("a fault has as {0} a whole number, not {1}", "{0} 应为整数，实际为 {1}")
}
