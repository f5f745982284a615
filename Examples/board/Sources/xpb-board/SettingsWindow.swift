import BoardModel
import EditingGTK

/// The window with the settings of the bridge that concern the history. `xpb config` reads and writes them.
final class SettingsWindow {
    private let window: Window
    private let thread: BackgroundThread
    private let limit = TextField(placeholder: Words.maxEntries.text)
    private let age: DropDown
    private let excluded = TextField(placeholder: Words.excludedExample.text)
    private let sync = DropDown([
        Words.syncOff.text, Words.syncFromFind.text, Words.syncToFind.text, Words.syncBoth.text,
    ])
    private let message = Label(lines: 3)
    /// The settings as the bridge has them; nil until they are read.
    private var settings: HistorySettings?

    init(_ application: Application, above parent: Window, thread: BackgroundThread) {
        self.thread = thread
        age = DropDown([
            Words.noAge.text, Words.day.text, Words.week.text, Words.month.text, Words.year.text, Words.otherAge.text,
        ])
        window = Window(application, title: Words.settingsTitle.text, width: 560, height: 240)
        window.setModal(above: parent)
        let rows = [
            (Words.maxEntries, limit as Widget), (.maxAge, age), (.excludedPrograms, excluded), (.sync, sync),
        ]
        let column = Box(.column, spacing: 10)
        for (title, control) in rows {
            let label = Label(title.text)
            label.setExpands(horizontally: true)
            control.setAccessibleName(title.text)
            column.append(Box(.row, spacing: 16, [label, control]))
        }
        message.addStyle("details")
        message.text = Words.furtherSettings.text
        column.append(message)
        column.setMargins(horizontal: 16, vertical: 16)
        window.setContent(column)
        connect()
        read()
    }

    private func connect() {
        limit.onCommit { [unowned self] in writeFields() }
        excluded.onCommit { [unowned self] in writeFields() }
        age.onChoose = { [unowned self] in
            guard HistorySettings.ages.indices.contains($0) else { return }
            guard let seconds = HistorySettings.ages[$0] else { return write("history-age", "null") }
            write("history-age", String(seconds))
        }
        sync.onChoose = { [unowned self] in write("sync", HistorySettings.directions[$0]) }
        window.onKey { [unowned self] key in
            guard key.value == Key.escape else { return false }
            window.close()
            return true
        }
        window.onClose = { [unowned self] in
            writeFields()
            return true
        }
    }

    func present() { window.present() }

    // MARK: Values

    private func read() {
        thread.perform {
            XPBProcess.output(["config", "--json"])
        } completion: { [weak self] outcome in
            guard let self else { return }
            guard let outcome else { return show(Words.noCommand.text, isError: true) }
            settings = HistorySettings(json: outcome.output)
            settings.map(show) ?? show(Words.failed.text, isError: true)
        }
    }

    private func show(_ settings: HistorySettings) {
        limit.text = String(settings.limit)
        excluded.text = settings.excluded.joined(separator: " ")
        age.selected = HistorySettings.ages.firstIndex(of: settings.age) ?? HistorySettings.ages.count
        sync.selected = HistorySettings.directions.firstIndex(of: settings.sync) ?? 0
    }

    /// Writes the text fields that the user has changed.
    private func writeFields() {
        guard let settings else { return }
        if limit.text != String(settings.limit) { write("history-limit", limit.text) }
        if excluded.text != settings.excluded.joined(separator: " ") {
            write("capture-except", excluded.text.isEmpty ? "[]" : excluded.text)
        }
    }

    private func write(_ key: String, _ value: String) {
        thread.perform {
            XPBProcess.message(["config", "--", key, value])
        } completion: { [weak self] outcome in
            guard let outcome else { return self?.show(Words.noCommand.text, isError: true) ?? () }
            let isError = outcome.status != 0
            self?.show(outcome.message.isEmpty ? Words.saved.text : outcome.message, isError: isError)
            if !isError { self?.read() }
        }
    }

    private func show(_ text: String, isError: Bool) {
        message.text = text
        isError ? message.addStyle("error") : message.removeStyle("error")
    }
}
