import APNs
@testable import PushStore
import Testing

struct ObjectOperationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var current: JSONValue?
        var change: JSONValue
        var result: JSONValue?
        var testDescription: String { "\(change) on \(String(describing: current))" }

        init(_ current: JSONValue?, _ change: JSONValue, _ result: JSONValue?) {
            self.current = current
            self.change = change
            self.result = result
        }
    }

    static let pointer: JSONValue = ["__type": "Pointer", "className": "Post", "objectId": "p1"]
    static let otherPointer: JSONValue = ["__type": "Pointer", "className": "Post", "objectId": "p2"]

    static let cases: [Case] = [
        Case(1, 2, 2),
        Case(nil, .null, .null),
        Case(nil, ["a": 1], ["a": 1]),
        Case(1, ["__op": "Delete"], nil),
        Case(nil, ["__op": "Delete"], nil),
        Case(nil, ["__op": "Increment", "amount": 2], 2),
        Case(.null, ["__op": "Increment", "amount": 2], 2),
        Case(5, ["__op": "Increment"], 6),
        Case(5, ["__op": "Increment", "amount": -7], -2),
        Case(5, ["__op": "Decrement", "amount": 3], 2),
        Case(5, ["__op": "Increment", "amount": 0.5], 5.5),
        Case(5.5, ["__op": "Decrement", "amount": 0.5], 5),
        Case(.integer(.max), ["__op": "Increment", "amount": 1], .number(0x1p63)),
        Case(.integer(.min), ["__op": "Decrement", "amount": 1], .integer(.min)),
        Case(nil, ["__op": "Add", "objects": [1, 1]], [1, 1]),
        Case([1], ["__op": "Add", "objects": [1]], [1, 1]),
        Case(nil, ["__op": "AddUnique", "objects": [1, 1, 2]], [1, 2]),
        Case([2, 1], ["__op": "AddUnique", "objects": [1, 3]], [2, 1, 3]),
        Case([1, 2, 1], ["__op": "Remove", "objects": [1]], [2]),
        Case(nil, ["__op": "Remove", "objects": [1]], nil),
        Case([["a": 1]], ["__op": "Remove", "objects": [["a": 1]]], []),
        Case(nil, ["__op": "BitOr", "value": 6], 6),
        Case(5, ["__op": "BitAnd", "value": 6], 4),
        Case(5, ["__op": "BitOr", "value": 6], 7),
        Case(5, ["__op": "BitXor", "value": 6], 3),
        Case(
            nil, ["__op": "AddRelation", "objects": [pointer, pointer]],
            ["__type": "Relation", "className": "Post", "objects": [pointer]]),
        Case(
            ["__type": "Relation", "className": "Post", "objects": [pointer, otherPointer]],
            ["__op": "RemoveRelation", "objects": [pointer]],
            ["__type": "Relation", "className": "Post", "objects": [otherPointer]]),
        Case(
            [1],
            [
                "__op": "Batch",
                "ops": [
                    ["__op": "Add", "objects": [2, 3]], ["__op": "Remove", "objects": [1]],
                    ["__op": "AddUnique", "objects": [3, 4]],
                ],
            ], [2, 3, 4]),
        Case(1, ["__op": "Batch", "ops": [["__op": "Delete"], ["__op": "Increment", "amount": 1]]], 1),
    ]

    private func apply(_ change: JSONValue, to current: JSONValue?) throws(ChangeError) -> JSONValue? {
        var value = current
        for operation in try ObjectOperation.parse(change, key: "field") {
            value = try operation.result(on: value, key: "field")
        }
        return value
    }

    @Test(arguments: cases)
    func `an operator gives the value the guide says`(test: Case) throws {
        #expect(try apply(test.change, to: test.current) == test.result)
    }

    static let faults: [(current: JSONValue?, change: JSONValue, code: Int)] = [
        ("a", ["__op": "Increment", "amount": 1], 111),
        (true, ["__op": "Increment", "amount": 1], 111),
        (1, ["__op": "Increment", "amount": "1"], 111),
        (1, ["__op": "Increment", "amount": true], 111),
        (.number(1.7e308), ["__op": "Increment", "amount": 1.7e308], 111),
        (1, ["__op": "Add", "objects": [1]], 111),
        ("a", ["__op": "AddUnique", "objects": [1]], 111),
        (["a": 1], ["__op": "Remove", "objects": [1]], 111),
        (nil, ["__op": "Add"], 111),
        (nil, ["__op": "Add", "objects": 1], 111),
        (1.5, ["__op": "BitAnd", "value": 1], 111),
        (1, ["__op": "BitAnd", "value": 1.5], 111),
        (1, ["__op": "BitAnd"], 111),
        (nil, ["__op": "AddRelation", "objects": [1]], 111),
        (
            nil,
            [
                "__op": "AddRelation",
                "objects": [pointer, ["__type": "Pointer", "className": "X", "objectId": "1"]],
            ], 111
        ),
        ([1], ["__op": "AddRelation", "objects": [pointer]], 111),
        (nil, ["__op": 1], 111),
        (nil, ["__op": "Explode"], 1),
        (nil, ["__op": "increment", "amount": 1], 1),
        (nil, ["__op": "Batch"], 111),
        (nil, ["__op": "Batch", "ops": [1]], 111),
        (nil, ["__op": "Batch", "ops": [["__op": "Batch", "ops": []]]], 111),
        (nil, ["__op": "Batch", "ops": .array(Array(repeating: ["__op": "Delete"], count: 101))], 111),
    ]

    @Test(arguments: faults)
    func `an operator that cannot be done says why`(test: (current: JSONValue?, change: JSONValue, code: Int))
    {
        let error = #expect(throws: ChangeError.self) { try apply(test.change, to: test.current) }
        #expect(error?.code == test.code)
        #expect(error?.message.hasPrefix("field: ") == true)
    }
}
