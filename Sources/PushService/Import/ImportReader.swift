internal import APNs
internal import Transport

/// Turns the bytes of an export into rows: unpacks gzip, tells BSON from JSON, finds the rows.
struct ImportReader {
    /// One row, or why it is none.
    enum Row: Sendable {
        case fields([String: JSONValue])
        case fault(String)
    }

    private enum Content {
        case unknown([UInt8])
        case json(JSONElementScanner)
        case bson(BSONReader)
    }

    private var gzip: GzipReader?
    private var isFirst = true
    private var content = Content.unknown([])
    /// Rows that were found, the faulty ones included.
    private(set) var rowCount = 0

    /// Takes the next bytes of the file and gives the rows that end in them, after the first so many.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, skipping skipCount: Int) throws(ImportError) -> [Row]
    {
        var rows: [Row] = []
        if isFirst, !bytes.isEmpty {
            isFirst = false
            if bytes.starts(with: [0x1f, 0x8b]) {
                do throws(TransportError) { gzip = try GzipReader() } catch {
                    throw ImportError(error.message)
                }
            }
        }
        guard let gzip else {
            try take(bytes, skipCount, &rows)
            return rows
        }
        var fault: ImportError?
        do throws(TransportError) {
            try gzip.unpack(bytes) { plain in
                guard fault == nil else { return }
                do throws(ImportError) { try take(plain, skipCount, &rows) } catch { fault = error }
            }
        } catch {
            throw ImportError(error.message)
        }
        if let fault { throw fault }
        return rows
    }

    /// Says that the file has ended.
    ///
    /// - Throws: when that was in the middle of something.
    mutating func finish() throws(ImportError) {
        if let gzip, !gzip.isComplete {
            throw ImportError("the file ends inside its gzip data: it was cut off")
        }
        switch content {
        case .unknown: throw ImportError("the file holds no export: JSON, JSON lines and BSON are read")
        case .json(let scanner):
            guard scanner.isComplete else {
                throw ImportError("the JSON ends in the middle: the file was cut off")
            }
        case .bson(let reader):
            guard reader.isComplete else {
                throw ImportError("the BSON ends in the middle: the file was cut off")
            }
        }
    }

    private mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ skipCount: Int, _ rows: inout [Row]
    ) throws(ImportError) {
        var count = rowCount
        defer { rowCount = count }
        // Taken out and put back, so that the buffers inside are not copied.
        var current = content
        content = .unknown([])
        defer { content = current }
        switch current {
        case .unknown(let seen):
            let start = seen + bytes
            guard start.count >= 4 || start.contains(0x7b) else {
                current = .unknown(start)
                return
            }
            // The length of a BSON document is below 16 MB: its fourth byte is 0, which no JSON text has.
            current = start.prefix(4).contains(0) ? .bson(BSONReader()) : .json(JSONElementScanner())
            content = current
            var error: ImportError?
            start.withUnsafeBytes { bytes in
                do throws(ImportError) { try take(bytes, skipCount, &rows) } catch let fault { error = fault }
            }
            current = content
            count = rowCount
            if let error { throw error }
        case .json(var scanner):
            current = .unknown([])
            let faults = scanner.strayCount + scanner.tooLargeCount
            scanner.feed(bytes) { element in
                count += 1
                if count > skipCount { rows.append(Self.row(json: element)) }
            }
            for _ in faults..<scanner.strayCount + scanner.tooLargeCount {
                count += 1
                if count > skipCount { rows.append(.fault("no object of at most 1 MB")) }
            }
            current = .json(scanner)
        case .bson(var reader):
            current = .unknown([])
            defer { current = .bson(reader) }
            try reader.feed(bytes) { document in
                count += 1
                guard count > skipCount else { return }
                rows.append(BSONReader.fields(document).map(Row.fields) ?? .fault("a damaged BSON document"))
            }
        }
    }

    private static func row(json: [UInt8]) -> Row {
        do throws(APNsError) {
            guard case .object(let members) = try JSONValue(parsing: json) else { return .fault("no object") }
            return .fields(members)
        } catch {
            return .fault("no JSON")
        }
    }
}
