internal import CSQLite

extension Database {
    /// Copies the whole database into another file while it stays in use.
    ///
    /// The copy is taken in slices; between two of them other connections may write. The target is replaced.
    ///
    /// - Parameters:
    ///   - path: The file to write.
    ///   - pagesPerSlice: How many pages are copied before other connections get their turn.
    ///   - progress: Called after each slice with the number of pages left and the total; false stops the copy.
    /// - Throws: `cancelled` when `progress` said so, and whatever SQLite reports for either file.
    public func backup(
        to path: String, pagesPerSlice: Int32 = 256,
        progress: (_ left: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(SQLiteError) {
        let target = try Database(path: path)
        try target.execute("PRAGMA journal_mode = DELETE")
        target.cache.removeAll()
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw SQLiteError(
                result: sqlite3_extended_errcode(target.handle), database: target.handle, sql: nil,
                quotesMessage: true)
        }
        var isCancelled = false
        var result = SQLITE_OK
        var busyCount = 0
        repeat {
            result = sqlite3_backup_step(backup, pagesPerSlice)
            if result & 0xff == SQLITE_BUSY || result & 0xff == SQLITE_LOCKED {
                busyCount += 1
                sqlite3_sleep(Self.backupPauseMilliseconds)
            }
            let left = Int(sqlite3_backup_remaining(backup))
            isCancelled = !progress(left, Int(sqlite3_backup_pagecount(backup)))
        } while !isCancelled && (result == SQLITE_OK || (result & 0xff == SQLITE_BUSY && busyCount < 100))
        let finish = sqlite3_backup_finish(backup)
        if isCancelled { throw SQLiteError(code: .cancelled, message: "the copy was stopped") }
        guard result == SQLITE_DONE else {
            throw SQLiteError(
                result: finish == SQLITE_OK ? result : finish, database: target.handle, sql: nil,
                quotesMessage: true)
        }
    }

    private static let backupPauseMilliseconds: Int32 = 20
}
