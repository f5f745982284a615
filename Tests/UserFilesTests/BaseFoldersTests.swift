import Testing
import UserFiles

@Suite struct BaseFoldersTests {
    @Test(
        "A variable that is unset, empty or relative counts as its default",
        arguments: [
            ([:], nil, ["/usr/local/share", "/usr/share"]),
            (["HOME": "/h"], "/h/.config", ["/h/.local/share", "/usr/local/share", "/usr/share"]),
            (
                ["HOME": "/h", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "data", "XDG_DATA_DIRS": ""], "/h/.config",
                ["/h/.local/share", "/usr/local/share", "/usr/share"]
            ),
            (["HOME": "h"], nil, ["/usr/local/share", "/usr/share"]),
            (
                ["XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/a::b:/c/"], "/c",
                ["/d", "/a", "/c/"]
            ),
        ] as [([String: String], String?, [String])])
    func folders(environment: [String: String], config: String?, data: [String]) {
        let folders = BaseFolders(environment: environment)
        #expect(folders.config == config && folders.data == data)
    }

    @Test("The state has a folder of its own")
    func state() {
        #expect(BaseFolders(environment: [:]).state == nil)
        #expect(BaseFolders(environment: ["HOME": "/h"]).state == "/h/.local/state")
        #expect(BaseFolders(environment: ["HOME": "/h", "XDG_STATE_HOME": "state"]).state == "/h/.local/state")
        #expect(BaseFolders(environment: ["HOME": "/h", "XDG_STATE_HOME": "/s"]).state == "/s")
    }
}
