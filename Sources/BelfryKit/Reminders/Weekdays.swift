public import Recurrence

extension Set<Weekday> {
    /// Monday to Friday.
    public static var mondayToFriday: Set<Weekday> {
        [.monday, .tuesday, .wednesday, .thursday, .friday]
    }

    /// Saturday and Sunday.
    public static var weekend: Set<Weekday> { [.saturday, .sunday] }

    /// All seven.
    public static var everyDay: Set<Weekday> { Set(Weekday.allCases) }
}
