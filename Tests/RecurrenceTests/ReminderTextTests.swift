internal import Recurrence
internal import Testing

struct ReminderTextTests {
    @Test(arguments: [
        ("daily at 09:00", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0"),
        (
            "Daily at 08:00, 20:00 on mon-fri",
            "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0"
        ),
        ("daily at 20:15,08:00", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0,15;BYSECOND=0;BYSETPOS=1,4"),
        (
            "weekly on mon,wed at 08:00,20:15",
            "FREQ=DAILY;BYDAY=MO,WE;BYHOUR=8,20;BYMINUTE=0,15;BYSECOND=0;BYSETPOS=1,4"
        ),
        ("weekly on mon,wed at 08:00", "FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=8;BYMINUTE=0;BYSECOND=0"),
        ("weekly on sat-sun at 08:00:30", "FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=8;BYMINUTE=0;BYSECOND=30"),
        ("monthly on last at 18:30", "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=18;BYMINUTE=30;BYSECOND=0"),
        ("monthly on 2nd tue at 10:00", "FREQ=MONTHLY;BYDAY=2TU;BYHOUR=10;BYMINUTE=0;BYSECOND=0"),
        ("monthly on last friday at 10:00", "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=10;BYMINUTE=0;BYSECOND=0"),
        ("monthly on 1,15 at 10:00", "FREQ=MONTHLY;BYMONTHDAY=1,15;BYHOUR=10;BYMINUTE=0;BYSECOND=0"),
        ("yearly on 02-29 at 09:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=9;BYMINUTE=0;BYSECOND=0"),
        ("every 3 days at 09:00", "FREQ=DAILY;INTERVAL=3;BYHOUR=9;BYMINUTE=0;BYSECOND=0"),
        ("every 2 weeks on fri at 17:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=17;BYMINUTE=0;BYSECOND=0"),
        (
            "every 2 hours from 22:00 to 06:00 on mon-fri",
            "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;X-WINDOW=2200-0600/120"
        ),
        ("every 90 minutes from 08:00 to 20:00", "FREQ=DAILY;X-WINDOW=0800-2000/90"),
        ("every 2 hours", "FREQ=HOURLY;INTERVAL=2;BYMINUTE=0;BYSECOND=0"),
        ("every minute on fri-mon", "FREQ=MINUTELY;BYDAY=MO,FR,SA,SU;BYSECOND=0"),
    ])
    func `a line of words is a rule`(_ text: String, _ rule: String) throws {
        #expect(try ReminderText.rule(text).text == rule)
    }

    @Test(arguments: [
        ("", "reminder"), ("hourly", "reminder"), ("daily", "at"), ("daily at", "at"),
        ("daily at 9:00", "at"),
        ("daily at 09:00 at 10:00", "at"), ("monthly on 1 at 08:00,09:30", "at"),
        ("every 2 weeks on mon at 08:00,09:30", "at"), ("weekly at 09:00", "on"),
        ("weekly on moonday at 09:00", "on"), ("weekly on mon-wed-fri at 09:00", "on"),
        ("monthly at 09:00", "on"),
        ("monthly on 32 at 09:00", "on"), ("monthly on 0 at 09:00", "on"),
        ("monthly on 1 2nd tue at 09:00", "on"),
        ("monthly on 2nd at 09:00", "on"), ("yearly on 02-30 at 09:00", "on"),
        ("yearly on 2-2 at 09:00", "on"),
        ("every 0 days at 09:00", "INTERVAL"), ("every -1 days at 09:00", "every"),
        ("every 2 fortnights", "every"),
        ("every", "every"), ("every 99999999 days at 09:00", "every"), ("every 2 hours from 08:00", "to"),
        ("every 2 hours from 08:00 to 8pm", "to"), ("every 2 days from 08:00 to 09:00", "from"),
        ("every 2 hours at 09:00", "at"), ("every 25 hours from 08:00 to 09:00", "window step"),
        ("daily 09:00", "reminder"),
    ])
    func `a line that cannot be read is refused with the word that is wrong`(_ text: String, _ field: String)
    {
        let error = #expect(throws: RecurrenceError.self) { try ReminderText.rule(text) }
        #expect(error?.field == field, "\(error?.message ?? "")")
    }
}
