#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

enum TestClock {
    static var secondsSince1970: Int64 { Int64(time(nil)) }
}
