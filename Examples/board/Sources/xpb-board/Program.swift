import BoardModel
import EditingGTK
import Glibc
import Pasteboard

/// The program: one window with the history and the board.
final class Program {
    private static let styles = """
        .details { font-size: smaller; opacity: 0.65; }
        .page { background: white; color: black; padding: 6px; }
        entry.error, label.error { color: #c01c28; opacity: 1; }
        \(Palette.styles)
        """

    private let options: Options
    private let application: Application
    private var window: MainWindow?
    /// Windows that were closed. GTK still sends signals to their widgets until the program ends.
    private var closedWindows: [MainWindow] = []
    private var source: EventSource?

    init(_ options: Options) throws {
        self.options = options
        guard Application.isValid(identifier: options.document) else {
            throw Options.Misuse(message: "'\(options.document)' is not a reverse-DNS name such as org.example.board")
        }
        application = Application(identifier: options.document, isUnique: !options.isStandalone)
    }

    func run() throws {
        for page in ["history", "board"] {
            application.addAction("show-\(page)") { [unowned self] in present(page) }
        }
        if application.isRemote {
            application.perform("show-\(options.page)")
            application.endSecondInstance()
        }
        let source = try EventSource()
        self.source = source
        // The requests are made now, so that the bridge answers them while GTK starts.
        let state = try WindowState(events: source.events, document: options.document)
        application.onActivate = { [unowned self] in
            if window == nil {
                Application.setUpDisplay(styles: Self.styles)
                window = MainWindow(application, state)
                window?.onClose = { [unowned self] in
                    if let window { closedWindows.append(window) }
                    window = nil
                }
            }
            present(options.page)
        }
        application.onShutdown = {
            state.end()
        }
        application.quitsInOrder()
        exit(application.run())
    }

    private func present(_ page: String) {
        window?.show(page)
    }
}
