import FoundationEssentials
import Glibc
import Pasteboard
import UniformTypes

/// Another program, which uses only the library's public calls. Its arguments say what to do.
@main
enum LibraryPeer {
    /// A value of the program's own.
    struct Recipe: Codable, Hashable, Sendable {
        var title: String
        var minutes: Int
    }

    static let recipeType = "com.example.recipe"

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "write":
            let type = TypeDeclaration(identifier: recipeType, mimeTypes: ["application/x-example-recipe"])
            try Pasteboard.declare([type])
            say("\(try Pasteboard.general.encode(Recipe(title: arguments[1], minutes: 45), forType: recipeType))")
        case "read":
            let recipe = try await Pasteboard.general.async.decode(Recipe.self, forType: recipeType)
            say(recipe.map { "\($0.title) \($0.minutes)" } ?? "nothing")
        case "promise": try promise(arguments[1])
        case "own":
            say(try Pasteboard(named: arguments[1], create: true)?.name ?? "nothing")
            _ = readLine()
        default: say("unknown")
        }
    }

    /// Promises text, prints `ready`, and waits for a line of input: `keep` fulfills the promise, anything else exits.
    private static func promise(_ text: String) throws {
        var item = PasteboardItem()
        item.setPromise(forType: "public.utf8-plain-text") {
            say("asked")
            return Data(text.utf8)
        }
        try Pasteboard.general.setItems([item]) { say("replaced") }
        say("ready")
        if readLine() == "keep" { say("\(Pasteboard.keepPromises(within: .seconds(60)))") }
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
