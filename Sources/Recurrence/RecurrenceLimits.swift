/// The limits of this module, each with its reason.
public enum RecurrenceLimits {
    /// Bytes of a rule's text: every list of RFC 5545's parts written out in full stays below it.
    public static let ruleTextByteCountMax = 4096
    /// The largest INTERVAL: almost two years of minutes.
    public static let intervalMax = 1_000_000
    /// The largest COUNT; a rule with a count is walked from its start, about 30 ms for this many.
    public static let countMax = 1_000_000
    /// How many values a list part may have: a value for every day of a year.
    public static let listCountMax = 366
    /// How many exclusions a schedule may have.
    public static let exclusionCountMax = 10_000
    /// The last year with occurrences: the last one that ISO 8601 writes with four digits.
    public static let yearMax = 9999
    /// Bytes of a zone's name; the longest of the time zone database has 32.
    public static let zoneNameByteCountMax = 64
    /// Zones whose transitions are kept; the time zone database has about 600 names.
    public static let cachedZoneCountMax = 1024
    /// Searches without a hit before a rule counts as ended.
    ///
    /// The calendar repeats after 400 years, which are 146,097 days; a search visits a day at most twice.
    static let quietVisitCountMax = 2 * 146_097
    /// Periods that BYSETPOS may leave empty before a rule counts as ended: the weeks of 400 years.
    static let quietPeriodCountMax = 20_872
}
