import APNs
import PushStore
import Testing

/// What operators mean: LeanCloud's REST API guide, where it is silent Parse Server over MongoDB.
struct WhereMatchingTests {
    static let object: [String: JSONValue] = [
        "objectId": "5f9d8e7c6b5a493827160504", "createdAt": "2026-01-01T00:00:00.000Z",
        "updatedAt": "2026-06-01T12:00:00.000Z", "deviceType": "ios", "deviceToken": "abcdef",
        "timeZone": "Asia/Shanghai",
        "badge": 3, "valid": true, "channels": ["news", "体育"], "environment": "production",
        "interests": ["sports": 0.4],
        "name": "Zoë", "level": 5, "ratio": 0.5, "vip": true, "nothing": nil, "tags": ["a", "b", 7],
        "words": [],
        "when": ["__type": "Date", "iso": "2026-03-01T00:00:00.000Z"],
        "user": ["__type": "Pointer", "className": "_User", "objectId": "u1"],
        "at": ["__type": "GeoPoint", "latitude": 31.2304, "longitude": 121.4737],
        "shop": ["city": "上海", "floor": ["level": 2]], "lines": "one\ntwo",
    ]

    @Test(arguments: [
        ("{}", true), ("{\"level\":5}", true), ("{\"level\":5.0}", true), ("{\"level\":\"5\"}", false),
        ("{\"level\":true}", false),
        ("{\"vip\":true}", true), ("{\"vip\":1}", false), ("{\"name\":\"Zoë\"}", true),
        ("{\"name\":\"Zoe\\u0308\"}", false),
        ("{\"tags\":\"a\"}", true), ("{\"tags\":\"c\"}", false), ("{\"tags\":7}", true),
        ("{\"tags\":[\"a\",\"b\",7]}", true),
        ("{\"tags\":[\"a\"]}", false), ("{\"words\":[]}", true), ("{\"nothing\":null}", true),
        ("{\"missing\":null}", true),
        ("{\"level\":null}", false), ("{\"level\":{\"$ne\":5}}", false), ("{\"level\":{\"$ne\":6}}", true),
        ("{\"missing\":{\"$ne\":6}}", true), ("{\"missing\":{\"$ne\":null}}", false),
        ("{\"nothing\":{\"$ne\":null}}", false),
        ("{\"tags\":{\"$ne\":\"a\"}}", false), ("{\"tags\":{\"$ne\":\"c\"}}", true),
        ("{\"level\":{\"$gt\":4,\"$lt\":6}}", true),
        ("{\"level\":{\"$gte\":5}}", true), ("{\"level\":{\"$gt\":5}}", false),
        ("{\"level\":{\"$lt\":\"6\"}}", false),
        ("{\"missing\":{\"$lt\":6}}", false), ("{\"missing\":{\"$gt\":-1}}", false),
        ("{\"name\":{\"$gt\":\"A\"}}", true),
        ("{\"name\":{\"$gt\":5}}", false), ("{\"tags\":{\"$gt\":6}}", true),
        ("{\"tags\":{\"$gt\":7}}", false),
        ("{\"level\":[{\"$gt\":4},{\"$lt\":6}]}", true), ("{\"level\":[{\"$gt\":4},{\"$lt\":5}]}", false),
        ("{\"level\":{\"$in\":[1,5]}}", true), ("{\"level\":{\"$in\":[]}}", false),
        ("{\"missing\":{\"$in\":[null]}}", true),
        ("{\"tags\":{\"$in\":[\"x\",\"b\"]}}", true), ("{\"level\":{\"$nin\":[1,5]}}", false),
        ("{\"level\":{\"$nin\":[]}}", true),
        ("{\"missing\":{\"$nin\":[1]}}", true), ("{\"missing\":{\"$nin\":[null]}}", false),
        ("{\"tags\":{\"$nin\":[\"a\"]}}", false),
        ("{\"tags\":{\"$all\":[\"a\",7]}}", true), ("{\"tags\":{\"$all\":[\"a\",8]}}", false),
        ("{\"tags\":{\"$all\":[]}}", false),
        ("{\"missing\":{\"$all\":[null]}}", true), ("{\"nothing\":{\"$all\":[null]}}", true),
        ("{\"level\":{\"$all\":[5]}}", true), ("{\"tags\":{\"$size\":3}}", true),
        ("{\"tags\":{\"$size\":2}}", false),
        ("{\"words\":{\"$size\":0}}", true), ("{\"level\":{\"$size\":1}}", false),
        ("{\"missing\":{\"$size\":0}}", false),
        ("{\"level\":{\"$exists\":true}}", true), ("{\"missing\":{\"$exists\":true}}", false),
        ("{\"nothing\":{\"$exists\":true}}", true), ("{\"missing\":{\"$exists\":false}}", true),
        ("{\"name\":{\"$regex\":\"^Z\"}}", true), ("{\"name\":{\"$regex\":\"^z\"}}", false),
        ("{\"name\":{\"$regex\":\"^zOË$\",\"$options\":\"i\"}}", true),
        ("{\"name\":{\"$regex\":\"^...$\"}}", true),
        ("{\"lines\":{\"$regex\":\"^two\"}}", false),
        ("{\"lines\":{\"$regex\":\"^two\",\"$options\":\"m\"}}", true),
        ("{\"lines\":{\"$regex\":\"e.t\"}}", false),
        ("{\"lines\":{\"$regex\":\"e.t\",\"$options\":\"s\"}}", true),
        ("{\"lines\":{\"$regex\":\" o n e \",\"$options\":\"x\"}}", true),
        ("{\"level\":{\"$regex\":\"5\"}}", false),
        ("{\"tags\":{\"$regex\":\"^b$\"}}", true), ("{\"name\":{\"$not\":{\"$regex\":\"^Z\"}}}", false),
        ("{\"missing\":{\"$not\":{\"$gt\":1}}}", true),
        ("{\"level\":{\"$not\":{\"$gt\":4,\"$lt\":6}}}", false),
        ("{\"$or\":[{\"level\":1},{\"vip\":true}]}", true),
        ("{\"$or\":[{\"level\":1},{\"vip\":false}]}", false),
        ("{\"$and\":[{\"level\":5},{\"vip\":true}]}", true),
        ("{\"$nor\":[{\"level\":1},{\"vip\":true}]}", false),
        ("{\"$not\":{\"level\":1}}", true), ("[{\"level\":5},{\"vip\":true}]", true),
        ("[{\"level\":5},{\"vip\":false}]", false),
        ("{\"shop.city\":\"上海\"}", true), ("{\"shop.floor.level\":{\"$gte\":2}}", true),
        ("{\"shop.none.level\":null}", true),
        ("{\"shop.city.x\":{\"$exists\":true}}", false),
        ("{\"shop\":{\"floor\":{\"level\":2},\"city\":\"上海\"}}", true),
        ("{\"when\":{\"__type\":\"Date\",\"iso\":\"2026-03-01T08:00:00+08:00\"}}", true),
        ("{\"when\":{\"$lt\":{\"__type\":\"Date\",\"iso\":\"2026-03-01T00:00:00.001Z\"}}}", true),
        ("{\"when\":{\"$lt\":\"9999\"}}", false), ("{\"when\":\"2026-03-01T00:00:00.000Z\"}", false),
        ("{\"updatedAt\":{\"$gt\":{\"__type\":\"Date\",\"iso\":\"2026-06-01T11:59:59.999Z\"}}}", true),
        ("{\"updatedAt\":{\"$gt\":\"2026-06-01T12:00:00Z\"}}", false),
        ("{\"createdAt\":\"2026-01-01T00:00:00Z\"}", true),
        ("{\"user\":{\"__type\":\"Pointer\",\"className\":\"_User\",\"objectId\":\"u1\"}}", true),
        ("{\"user\":{\"__type\":\"Pointer\",\"className\":\"_User\",\"objectId\":\"u2\"}}", false),
        ("{\"user\":{\"$in\":[{\"__type\":\"Pointer\",\"className\":\"_User\",\"objectId\":\"u1\"}]}}", true),
        ("{\"deviceToken\":\"ABCDEF\"}", true), ("{\"deviceToken\":{\"$in\":[\"ABCdef\"]}}", true),
        ("{\"deviceType\":\"IOS\"}", false),
        ("{\"channels\":\"news\"}", true), ("{\"channels\":{\"$in\":[\"x\",\"体育\"]}}", true),
        ("{\"channels\":{\"$all\":[\"news\",\"体育\"]}}", true),
        ("{\"channels\":{\"$nin\":[\"news\"]}}", false), ("{\"channels\":{\"$size\":2}}", true),
        ("{\"channels\":{\"$exists\":false}}", false),
        ("{\"valid\":true}", true), ("{\"valid\":1}", false), ("{\"badge\":{\"$gt\":2.5}}", true),
        ("{\"environment\":\"production\"}", true),
        ("{\"interests.sports\":{\"$gte\":0.3}}", true), ("{\"interests.sports\":{\"$gte\":0.5}}", false),
        ("{\"interests.none\":{\"$gte\":0}}", false), ("{\"interests.none\":{\"$exists\":false}}", true),
        (
            "{\"at\":{\"$nearSphere\":{\"__type\":\"GeoPoint\",\"latitude\":39.9042,\"longitude\":116.4074},\"$maxDistanceInKilometers\":1070}}",
            true
        ),
        (
            "{\"at\":{\"$nearSphere\":{\"__type\":\"GeoPoint\",\"latitude\":39.9042,\"longitude\":116.4074},\"$maxDistanceInKilometers\":1060}}",
            false
        ),
        (
            "{\"at\":{\"$nearSphere\":{\"__type\":\"GeoPoint\",\"latitude\":39.9042,\"longitude\":116.4074},\"$maxDistanceInMiles\":665}}",
            true
        ),
        (
            "{\"at\":{\"$nearSphere\":{\"__type\":\"GeoPoint\",\"latitude\":39.9042,\"longitude\":116.4074},\"$maxDistanceInMiles\":655}}",
            false
        ),
        (
            "{\"at\":{\"$nearSphere\":{\"__type\":\"GeoPoint\",\"latitude\":39.9042,\"longitude\":116.4074},\"$maxDistanceInRadians\":0.17}}",
            true
        ),
        ("{\"missing\":{\"$nearSphere\":{\"__type\":\"GeoPoint\",\"latitude\":0,\"longitude\":0}}}", false),
        (
            "{\"at\":{\"$within\":{\"$box\":[{\"__type\":\"GeoPoint\",\"latitude\":31,\"longitude\":121},{\"__type\":\"GeoPoint\",\"latitude\":32,\"longitude\":122}]}}}",
            true
        ),
        (
            "{\"at\":{\"$within\":{\"$box\":[{\"__type\":\"GeoPoint\",\"latitude\":31,\"longitude\":122},{\"__type\":\"GeoPoint\",\"latitude\":32,\"longitude\":121}]}}}",
            false
        ),
        (
            "{\"at\":{\"$within\":{\"$box\":[{\"__type\":\"GeoPoint\",\"latitude\":31,\"longitude\":120},{\"__type\":\"GeoPoint\",\"latitude\":32,\"longitude\":-170}]}}}",
            true
        ),
    ])
    func `an operator means the same in memory and in the database`(text: String, expected: Bool) throws {
        let clause = try WhereClause(parsing: text)
        #expect(clause.matches(WhereMatchingTests.object) == expected)
        let table = try WhereTable()
        try table.insert(WhereMatchingTests.object)
        #expect(try table.numbers(clause).count == (expected ? 1 : 0))
        #expect(try table.numbers(clause, purpose: .walk).count == (expected ? 1 : 0))
    }

    @Test func `a row without channels has none, in every way to say so`() throws {
        let table = try WhereTable()
        try table.insert(["channels": []])
        for text in [
            "{\"channels\":{\"$exists\":false}}", "{\"channels\":null}", "{\"channels\":{\"$size\":0}}",
            "{\"channels\":[]}",
            "{\"channels\":{\"$ne\":\"news\"}}",
        ] {
            let clause = try WhereClause(parsing: text)
            #expect(clause.matches(["channels": []]), "\(text)")
            #expect(clause.matches([:]), "\(text)")
            #expect(try table.numbers(clause).count == 1, "\(text)")
        }
    }

    @Test func `failures name the field, the operator, what was expected and what was found`() throws {
        let clause = try WhereClause(
            parsing: """
                {"level":{"$gt":9},"vip":true,"$or":[{"name":"x"},{"missing":1}],"$not":{"badge":3}}
                """)
        let failures = clause.failures(in: WhereMatchingTests.object)
        #expect(
            failures == [
                WhereClause.Failure(path: "badge", operator: "$eq", expected: 3, found: 3, mustNotHold: true),
                WhereClause.Failure(path: "name", operator: "$eq", expected: "x", found: "Zoë"),
                WhereClause.Failure(path: "missing", operator: "$eq", expected: 1, found: nil),
                WhereClause.Failure(path: "level", operator: "$gt", expected: 9, found: 5),
            ])
        #expect(try WhereClause(["level": 5]).failures(in: WhereMatchingTests.object).isEmpty)
    }
}
