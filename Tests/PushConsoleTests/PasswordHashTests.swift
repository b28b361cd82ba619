import PushStore
import Recurrence
import Testing

@testable import PushConsole

struct PasswordHashTests {
    @Test func `a password is the one of its own text only`() async {
        let hash = await PasswordHash.make("a long password")
        #expect(hash.hasPrefix("scrypt$32768$8$1$"))
        #expect(!hash.contains("a long password"))
        #expect(await PasswordHash.matches("a long password", hash))
        #expect(await !PasswordHash.matches("a long passwore", hash))
        #expect(await !PasswordHash.matches("", hash))
        #expect(await !PasswordHash.matches("a long password", nil))
        #expect(await PasswordHash.make("a long password") != hash)
    }

    @Test(arguments: [
        "", "scrypt", "scrypt$1$8$1$AAAA$AAAA", "scrypt$32768$8$1$$", "bcrypt$32768$8$1$AAAA$AAAA",
        "scrypt$99999999999$8$1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `a damaged text matches nothing`(hash: String) async {
        #expect(await !PasswordHash.matches("", hash))
        #expect(await !PasswordHash.matches("a long password", hash))
    }

    @Test(arguments: [
        ("short", false), ("123456789", false), ("1234567890", true), ("aaaaaaaaaaaa", false),
        ("密码密码密码密码密码密码", false), ("这是一个足够长的新密码", true), (String(repeating: "abcd", count: 257), false),
    ])
    func `passwords that are too simple are refused`(password: String, isTaken: Bool) {
        #expect((PasswordHash.fault(of: password) == nil) == isTaken)
    }

    @Test func `attempts come back one at a time`() {
        var limiter = SignInLimiter()
        let start = Instant(secondsSince1970: 1000)
        for _ in 0..<5 { #expect(limiter.attempt(name: "a", address: "1", now: start) == nil) }
        #expect(limiter.attempt(name: "A", address: "2", now: start) == 30)
        #expect(limiter.attempt(name: "b", address: "1", now: start) == nil)
        let later = start.advanced(bySeconds: 30)
        #expect(limiter.attempt(name: "a", address: "1", now: later) == nil)
        #expect(limiter.attempt(name: "a", address: "1", now: later) == 30)
        limiter.succeed(name: "a")
        #expect(limiter.attempt(name: "a", address: "1", now: later) == nil)
        // A clock that goes back does not open the door.
        for _ in 0..<4 { _ = limiter.attempt(name: "a", address: "1", now: later) }
        #expect(limiter.attempt(name: "a", address: "1", now: start) != nil)
    }

    @Test func `one address may not try all names`() {
        var limiter = SignInLimiter()
        let start = Instant(secondsSince1970: 1000)
        for index in 0..<SignInLimiter.attemptCountMaxPerAddress {
            #expect(limiter.attempt(name: "user\(index)", address: "1", now: start) == nil)
        }
        #expect(limiter.attempt(name: "another", address: "1", now: start) == 30)
        #expect(limiter.attempt(name: "another", address: "2", now: start) == nil)
    }

    @Test func `the table of attempts stays small`() {
        var limiter = SignInLimiter()
        for index in 0..<(SignInLimiter.entryCountMax * 2) {
            _ = limiter.attempt(name: "n\(index)", address: "a\(index)", now: Instant(secondsSince1970: 1000))
        }
        let size = Mirror(reflecting: limiter).children.compactMap { ($0.value as? any Collection)?.count }
            .first
        #expect((size ?? .max) <= SignInLimiter.entryCountMax)
    }
}
