import CSDL2
import Dispatch
import FoundationEssentials
import Pasteboard

/// An SDL window whose title is the text on the clipboard. The key c copies a string.
@main final class SDLPaste {
    private let window: OpaquePointer
    private let events: PasteboardEvents

    static func main() throws {
        guard SDL_Init(SDL_INIT_VIDEO) == 0,
            let window = SDL_CreateWindow("sdl-paste", 0, 0, 320, 200, SDL_WINDOW_SHOWN.rawValue)
        else {
            return print("sdl-paste: \(String(cString: SDL_GetError()))")
        }
        try SDLPaste(window).run()
    }

    private init(_ window: OpaquePointer) throws {
        self.window = window
        events = try PasteboardEvents()
    }

    private func run() {
        events.observe(.general, since: 0) { [unowned self] _ in showText() }
        let wakeUp = SDL_RegisterEvents(1)
        let source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor)
        source.setEventHandler {
            // The descriptor stays readable until dispatch().
            source.suspend()
            var event = SDL_Event()
            event.type = wakeUp
            if SDL_PushEvent(&event) != 1 { source.resume() }
        }
        source.resume()

        var event = SDL_Event()
        while SDL_WaitEvent(&event) == 1 {
            switch event.type {
            case SDL_QUIT.rawValue: return
            case wakeUp:
                events.dispatch()
                source.resume()
            case SDL_KEYDOWN.rawValue where event.key.keysym.sym == SDLK_c.rawValue:
                events.write([PasteboardItem(Data("copied by SDL".utf8), type: .plainText)], to: .general)
            default: break
            }
        }
    }

    private func showText() {
        events.read(.general, types: [.text]) { [unowned self] result in
            let text = (try? result.get()).map { String(decoding: $0.data, as: UTF8.self) }
            SDL_SetWindowTitle(window, text ?? "no text")
        }
    }
}
