internal import APNs

/// The device tokens that `belfry push` is given, on its command line and in a file.
enum TokenList {
    /// A million tokens of the usual length fit.
    static let byteCountMax = 128 << 20

    /// Reads all tokens: first those of the command line.
    ///
    /// In the file, each line holds one token; empty lines and those that begin with `#` do not count.
    static func read(_ arguments: [String], file: String?) throws(CommandError) -> [DeviceToken] {
        var tokens: [DeviceToken] = []
        for text in arguments { tokens.append(try token(text[...], from: "TOKEN")) }
        if let file {
            let bytes = try InputFile.read(file, byteCountMax: byteCountMax)
            var number = 0
            for line in String(decoding: bytes, as: UTF8.self).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            {
                number += 1
                let text = line.trimmed
                guard !text.isEmpty, !text.hasPrefix("#") else { continue }
                tokens.append(try token(text, from: "\(file), line \(number)"))
            }
        }
        guard !tokens.isEmpty else { throw .usage("needs a device token: TOKEN, or --tokens FILE") }
        return tokens
    }

    private static func token(_ text: Substring, from place: String) throws(CommandError) -> DeviceToken {
        do throws(APNsError) {
            return try DeviceToken(hex: String(text))
        } catch {
            throw .usage("\(place): \(error.message)")
        }
    }
}

extension Substring {
    /// Without white space at either end.
    fileprivate var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
