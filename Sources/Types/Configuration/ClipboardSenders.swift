extension Configuration {
    /// The process names of programs that send the clipboard to another display or machine: servers and viewers of VNC
    /// and RDP, programs that share a mouse, and the tools of virtual machines. They read each copy as it is made, so
    /// their reads are not pastes, and secrets are not for them.
    package static let senders = [
        "Xvnc", "Xtigervnc", "X0tigervnc", "x0vncserver", "vncconfig", "x11vnc", "xtigervncviewer", "vncviewer",
        "xrdp-chansrv", "xfreerdp", "xfreerdp3", "wlfreerdp", "sdl-freerdp", "rdesktop", "remmina", "krdc",
        "gnome-connections", "remote-viewer", "virt-viewer", "spicy", "spice-vdagent", "VBoxClient", "VirtualBoxVM",
        "vmtoolsd", "nxagent", "x2goagent", "xpra", "barriers", "barrierc", "input-leaps", "input-leapc", "synergys",
        "synergyc", "deskflow-core", "kdeconnectd",
    ]
}
