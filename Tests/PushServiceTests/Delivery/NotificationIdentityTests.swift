import APNs
import Testing

@testable import PushService

struct NotificationIdentityTests {
    @Test func `the same push and installation have the same id always`() throws {
        let one = NotificationIdentity(push: "AbCdEfGh01234567")
        let same = NotificationIdentity(push: "AbCdEfGh01234567")
        let other = NotificationIdentity(push: "AbCdEfGh01234568")
        for number: Int64 in [0, 1, 2, 1_000_000, .max, .min] {
            #expect(one.id(number) == same.id(number))
            #expect(one.id(number) != other.id(number))
        }
        // Pinned: another version of the service continues what this one began.
        #expect(one.id(1).uuidString == pinned)
    }

    private let pinned = "cc73a9cf-4db7-8035-b490-8f24e420325e"

    @Test func `a million numbers have a million ids of version 8`() {
        let identity = NotificationIdentity(push: "AbCdEfGh01234567")
        var seen: Set<NotificationID> = []
        seen.reserveCapacity(1_000_000)
        var isValid = true
        for number: Int64 in 0..<1_000_000 {
            let id = identity.id(number)
            isValid = isValid && id.high & 0xf000 == 0x8000 && id.low >> 62 == 0b10
            seen.insert(id)
        }
        #expect(isValid)
        #expect(seen.count == 1_000_000)
    }

    @Test func `tokens given with a push have numbers of their own`() throws {
        let numbers = try (0..<1_000).map { number in
            let digits = String(number, radix: 16)
            return NotificationIdentity.number(
                of: try DeviceToken(hex: String(repeating: "0", count: 64 - digits.count) + digits))
        }
        #expect(Set(numbers).count == 1_000)
        #expect(
            NotificationIdentity.number(of: try DeviceToken(hex: "ABCD"))
                == NotificationIdentity.number(of: try DeviceToken(hex: "abcd")))
    }
}
