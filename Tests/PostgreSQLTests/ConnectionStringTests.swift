import PostgreSQL
import Testing

struct ConnectionStringTests {
    @Test(arguments: [
        ("postgres://belfry:geheim@db.example:5433/push?sslmode=require", "postgres://db.example:5433/push"),
        ("postgresql://belfry:ge%40heim@one,two:5433/push", "postgres://one,two:5433/push"),
        ("host=/var/run/postgresql dbname=push password=geheim", "postgres:///var/run/postgresql/push"),
        ("host=a,b port=1,2 user=u password='geheim x' dbname=p", "postgres://a:1,b:2/p"),
    ])
    func `what is shown names hosts and database alone`(text: String, shown: String) throws {
        let string = try ConnectionString(text)
        #expect("\(string)" == shown)
    }

    @Test(arguments: [
        "postgres://u:geheim@host:port/x?geheim", "password='geheim",
        "geheim", "postgres://u:geheim@[::1/x", "postgres://u:geheim%zz@host/x", "host=a geheim",
        "postgres://u:geheim@host/x?nothing=geheim", "postgres://u:geheim\0@host/x",
    ])
    func `a text that is no connection string is refused without being quoted`(text: String) {
        let error = #expect(throws: PostgreSQLError.self) { try ConnectionString(text) }
        #expect(error?.code == .connectionString)
        #expect(error?.description.contains("geheim") == false)
    }

    @Test func `an error of connecting does not show the password`() throws {
        for text in [
            "postgres://belfry:geheim@127.0.0.1:1/x",
            "postgres://belfry:geheim@host.invalid/x?connect_timeout=2",
        ] {
            let string = try ConnectionString(text)
            let error = #expect(throws: PostgreSQLError.self) {
                try Session(Session.Configuration(connectionString: string))
            }
            #expect(error?.code == .connectionFailed)
            #expect(error?.description.contains("geheim") == false)
        }
    }
}
