import BoardModel
import EditingGTK
import FoundationEssentials

/// The window with the settings of the bridge that concern the history. `xpb config` reads and writes them; nothing is
/// written until the user saves.
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
    private let save = Button(Words.save.text)
    /// The settings as the bridge has them; nil until they are read.
    private var settings: HistorySettings?
    /// The number of entries in the history.
    private var entryCount = 0
    /// The values that the user was warned about, since saving them deletes entries.
    private var confirmed: [String] = []
    /// Called when the window is closed.
    var onClose: (() -> Void)?

    init(_ application: Application, above parent: Window, thread: BackgroundThread) {
        self.thread = thread
        age = DropDown([
            Words.noAge.text, Words.day.text, Words.week.text, Words.month.text, Words.year.text, Words.otherAge.text,
        ])
        window = Window(application, title: Words.settingsTitle.text, width: 560, height: 280)
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
        message.setExpands(horizontally: true)
        column.append(Box(.row, spacing: 16, [message, save]))
        column.setMargins(horizontal: 16, vertical: 16)
        window.setContent(column)
        connect()
        read()
    }

    private func connect() {
        save.onClick { [unowned self] in saveAll() }
        limit.onCommit { [unowned self] in saveAll() }
        excluded.onCommit { [unowned self] in saveAll() }
        window.onKey { [unowned self] key in
            guard key.value == Key.escape else { return false }
            window.close()
            return true
        }
        window.onClose = { [unowned self] in
            onClose?()
            return true
        }
    }

    func present() { window.present() }

    // MARK: Values

    private func read() {
        thread.perform {
            let status = XPBProcess.output(["status", "--json"])
            return (settings: XPBProcess.output(["config", "--json"]), status: status?.output)
        } completion: { [weak self] outcome in
            guard let self else { return }
            guard let found = outcome.settings else { return show(Words.noCommand.text, isError: true) }
            entryCount = outcome.status.flatMap(BridgeStatus.init(json:))?.entries ?? 0
            settings = HistorySettings(json: found.output)
            settings.map(show) ?? show(Words.failed.text, isError: true)
        }
    }

    private func show(_ settings: HistorySettings) {
        limit.text = String(settings.limit)
        excluded.text = settings.excluded.joined(separator: " ")
        age.selected = HistorySettings.ages.firstIndex(of: settings.age) ?? HistorySettings.ages.count
        sync.selected = HistorySettings.directions.firstIndex(of: settings.sync) ?? 0
        for (key, control) in [
            (HistorySettings.Key.limit, limit as Widget), (HistorySettings.Key.age, age),
            (HistorySettings.Key.excluded, excluded), (HistorySettings.Key.sync, sync),
        ] { control.isEnabled = !settings.overridden.contains(key) }
        if !settings.overridden.isEmpty { show(Words.overridden.text, isError: false) }
    }

    /// The changed settings, by their keys, as the command takes them.
    private func changes(of settings: HistorySettings) -> [(key: String, value: String)] {
        var changes: [(key: String, value: String)] = []
        if limit.text != String(settings.limit) { changes.append((HistorySettings.Key.limit, limit.text)) }
        if HistorySettings.ages.indices.contains(age.selected), HistorySettings.ages[age.selected] != settings.age {
            let seconds = HistorySettings.ages[age.selected]
            changes.append((HistorySettings.Key.age, seconds.map { String($0) } ?? "null"))
        }
        if excluded.text != settings.excluded.joined(separator: " ") {
            changes.append((HistorySettings.Key.excluded, excluded.text.isEmpty ? "[]" : excluded.text))
        }
        let direction = HistorySettings.directions[sync.selected]
        if direction != settings.sync { changes.append((HistorySettings.Key.sync, direction)) }
        return changes
    }

    private func saveAll() {
        guard let settings else { return }
        let changes = changes(of: settings)
        let values = changes.map(\.value)
        if confirmed != values, let warning = warning(of: changes, settings) {
            confirmed = values
            save.setLabel(Words.deleteAndSave.text)
            return show(warning.text, isError: true)
        }
        thread.perform {
            for (key, value) in changes {
                guard let outcome = XPBProcess.message(["config", "--", key, value]) else {
                    return Words.noCommand.text
                }
                if outcome.status != 0 { return outcome.message }
            }
            return ""
        } completion: { [weak self] failure in
            guard let self else { return }
            if failure.isEmpty { window.close() } else { show(failure, isError: true) }
        }
    }

    /// Returns the question that the user must answer before settings are saved that delete entries.
    private func warning(of changes: [(key: String, value: String)], _ settings: HistorySettings) -> Words? {
        if let limit = changes.first(where: { $0.key == HistorySettings.Key.limit }).flatMap({ Int($0.value) }),
            limit < entryCount
        {
            return .willDelete
        }
        let age = changes.first { $0.key == HistorySettings.Key.age }.flatMap { Int($0.value) }
        return age.map { $0 < settings.age ?? .max } == true ? .willDeleteOld : nil
    }

    private func show(_ text: String, isError: Bool) {
        message.text = text
        isError ? message.addStyle("error") : message.removeStyle("error")
    }
}
