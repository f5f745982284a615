extension Unicode.Scalar {
    /// True unless this is a control or format character, which could change other parts of a terminal's screen.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
