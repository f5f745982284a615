#if !canImport(Darwin)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension UndoManager {
    /// The language of the titles of Undo and Redo in a menu.
    public enum MenuLanguage: Sendable, Hashable, CaseIterable {
        /// English, also used for all languages without titles.
        case english
        /// German.
        case german
        /// French.
        case french
        /// Spanish.
        case spanish
        /// Chinese in simplified characters.
        case simplifiedChinese
        /// Chinese in traditional characters.
        case traditionalChinese
        /// Japanese.
        case japanese

        /// Creates the language of a locale, named as in POSIX or BCP 47: `de_AT.UTF-8`, `zh-Hant`.
        ///
        /// - Parameter locale: The name, for example the result of `setlocale`. Unknown languages, `C` and malformed
        ///   names mean English.
        public init(locale: String) { self = Self.known(locale) ?? .english }

        /// Returns the language of a locale; nil if there are no titles in that language.
        private static func known(_ locale: String) -> MenuLanguage? {
            let tags = locale.lowercased().prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
            switch tags.first {
            case "en": return .english
            case "de": return .german
            case "fr": return .french
            case "es": return .spanish
            case "ja": return .japanese
            case "zh":
                let isTraditional =
                    tags.contains("hant")
                    || !tags.contains("hans")
                        && tags.contains { ["tw", "hk", "mo"].contains($0) }
                return isTraditional ? .traditionalChinese : .simplifiedChinese
            default: return nil
            }
        }

        /// Creates the language of messages in an environment: that of `LC_ALL`, else `LC_MESSAGES`, else `LANG`. Empty
        /// variables count as missing (POSIX.1-2017, section 8.2).
        ///
        /// If that locale is not `C`, the first language of the list `LANGUAGE` with titles comes before it (the manual
        /// of GNU gettext, section 2.3.3).
        ///
        /// - Parameter variable: Returns the value of an environment variable, or nil.
        public init(environment variable: (String) -> String?) {
            for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
                guard let value = variable(name), !value.isEmpty else { continue }
                let isPlain = ["C", "POSIX"].contains(value.prefix { $0 != "." })
                let preferred = isPlain ? [] : (variable("LANGUAGE") ?? "").split(separator: ":")
                self = preferred.lazy.compactMap { Self.known(String($0)) }.first ?? Self(locale: value)
                return
            }
            self = .english
        }

        /// The language of messages in the environment of the program, read once.
        ///
        /// The standard library cannot read an environment, so this is the module's only call of the C library.
        public static let environment = MenuLanguage { name in
            guard let value = unsafe getenv(name) else { return nil }
            return unsafe String(cString: value)
        }

        /// Returns the title of Undo for an action's name, which may be empty.
        func undoTitle(_ actionName: String) -> String { title(texts.undo, actionName) }

        /// Returns the title of Redo for an action's name, which may be empty.
        func redoTitle(_ actionName: String) -> String { title(texts.redo, actionName) }

        private func title(_ text: String, _ actionName: String) -> String {
            actionName.isEmpty ? text : text + texts.separator + actionName
        }

        private var texts: (undo: String, redo: String, separator: String) {
            switch self {
            case .english: ("Undo", "Redo", " ")
            case .german: ("Rückgängig", "Wiederherstellen", ": ")
            case .french: ("Annuler", "Rétablir", "\u{A0}: ")
            case .spanish: ("Deshacer", "Rehacer", ": ")
            case .simplifiedChinese: ("撤销", "重做", "：")
            case .traditionalChinese: ("復原", "重做", "：")
            case .japanese: ("元に戻す", "やり直し", ": ")
            }
        }
    }
}

#endif
