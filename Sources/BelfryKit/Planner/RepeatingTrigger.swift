internal import Recurrence

/// Parts of a date that a repeating trigger of the system waits for.
struct RepeatingTrigger: Hashable, Sendable {
    var month: Int?
    var day: Int?
    var weekday: Weekday?
    var time: TimeOfDay

    /// A word of an identifier: `w2-0900`, Sunday being 1 as in Apple's numbers.
    var text: String {
        var text = ""
        if let month { text += "m\(month)-" }
        if let day { text += "d\(day)-" }
        if let weekday { text += "w\(weekday.appleNumber)-" }
        return text + time.description.filter { $0 != ":" }
    }
}
