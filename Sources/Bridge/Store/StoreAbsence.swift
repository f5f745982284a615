/// Why a bridge stores nothing from its start on, as its status tells it.
enum StoreAbsence: String, Error {
    case unwanted = "the program that the bridge is a part of keeps nothing"
    case forwarded = "the display is forwarded from another machine"
    case setOff = "the setting 'persist' was false when the bridge started"
    case homeless = "neither XDG_STATE_HOME nor HOME is an absolute path"
}
