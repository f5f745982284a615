import EditingGTK
import Pasteboard

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        print(Options.help)
    } else {
        Application.drawWithProcessor()
        try Program(options).run()
    }
} catch let error as Options.Misuse {
    Standard.fail("\(error.message)\n\n\(Options.help)", status: 2)
} catch {
    Standard.fail("\(error)", status: 1)
}
