#!/usr/bin/env python3
"""The services of a desktop, for services.spec.ts: a tray (StatusNotifierWatcher and host), a file chooser
portal, and logind on the bus of DBUS_SYSTEM_BUS_ADDRESS, or those that the arguments name. Takes one JSON object per line and prints what happens
in the same way. It is written with Debian's libraries, so that it shares no code with Slipway's own D-Bus."""

import json
import os
import sys
import threading

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"
LOGIND = "org.freedesktop.login1"
MANAGER = "org.freedesktop.login1.Manager"
PORTAL = "org.freedesktop.portal.Desktop"
CHOOSER = "org.freedesktop.portal.FileChooser"


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


class Watcher(dbus.service.Object):
    """The tray. `items`: the bus name and the path of each icon."""

    def __init__(self, bus):
        self.name = dbus.service.BusName(WATCHER, bus)
        super().__init__(bus, "/StatusNotifierWatcher")
        self.items = []

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        at = (sender, service) if service.startswith("/") else (service, "/StatusNotifierItem")
        self.items.append(at)
        tell("icon", path=str(at[1]))

    @dbus.service.method(WATCHER, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        pass

    @dbus.service.signal(WATCHER)
    def StatusNotifierHostRegistered(self):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        items = dbus.Array(["".join(item) for item in self.items], signature="s")
        return {
            "IsStatusNotifierHostRegistered": True,
            "ProtocolVersion": dbus.Int32(0),
            "RegisteredStatusNotifierItems": items,
        }


class Portal(dbus.service.Object):
    """Is asked for files, and doesn't answer: nobody has chosen yet."""

    def __init__(self, bus):
        self.name = dbus.service.BusName(PORTAL, bus)
        super().__init__(bus, "/org/freedesktop/portal/desktop")

    @dbus.service.method(CHOOSER, in_signature="ssa{sv}", out_signature="o", sender_keyword="sender")
    def OpenFile(self, parent, title, options, sender=None):
        tell("chooser", multiple=bool(options.get("multiple", False)))
        client = sender[1:].replace(".", "_")
        return dbus.ObjectPath(f"/org/freedesktop/portal/desktop/request/{client}/{options['handle_token']}")

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {"version": dbus.UInt32(3)} if interface == CHOOSER else {}


class Logind(dbus.service.Object):
    def __init__(self, bus):
        self.name = dbus.service.BusName(LOGIND, bus)
        super().__init__(bus, "/org/freedesktop/login1")

    @dbus.service.method(MANAGER, in_signature="ssss", out_signature="h")
    def Inhibit(self, what, who, why, mode):
        ours, theirs = os.pipe()
        GLib.io_add_watch(ours, GLib.IO_HUP, self.released, what)
        tell("inhibit", what=str(what), who=str(who), mode=str(mode))
        descriptor = dbus.types.UnixFd(theirs)
        os.close(theirs)
        return descriptor

    def released(self, descriptor, condition, what):
        os.close(descriptor)
        tell("released", what=str(what))
        return False

    @dbus.service.signal(MANAGER, signature="b")
    def PrepareForShutdown(self, starts):
        pass

    @dbus.service.signal(MANAGER, signature="b")
    def PrepareForSleep(self, starts):
        pass


class Desktop:
    def __init__(self):
        wanted = sys.argv[1:] or ["tray", "portal", "logind"]
        self.session = dbus.SessionBus()
        if "tray" in wanted:
            self.watcher = Watcher(self.session)
            self.watcher.StatusNotifierHostRegistered()
        if "portal" in wanted:
            self.portal = Portal(self.session)
        if "logind" in wanted:
            self.logind = Logind(dbus.SystemBus())

    def icon(self):
        name, path = self.watcher.items[-1]
        return self.session.get_object(name, path, introspect=False), name

    def menu(self):
        icon, name = self.icon()
        path = icon.Get(ITEM, "Menu", dbus_interface=PROPERTIES)
        menu = dbus.Interface(self.session.get_object(name, path, introspect=False), MENU)
        _, (_, _, top) = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
        return menu, top

    def do(self, line):
        asked = json.loads(line)
        getattr(self, "do_" + asked.pop("do"))(**asked)

    def do_menu(self):
        _, top = self.menu()
        lines = [(str(one[1].get("label", "")), bool(one[1].get("enabled", True))) for one in top]
        tell("menu", lines=[label if enabled else f"({label})" for label, enabled in lines if label])

    def do_click(self, label):
        menu, top = self.menu()
        [number] = [one[0] for one in top if str(one[1].get("label", "")) == label]
        menu.Event(number, "clicked", dbus.Int32(0), dbus.UInt32(0))

    def do_activate(self):
        self.icon()[0].Activate(1, 1, dbus_interface=ITEM)

    def do_shutdown(self):
        self.logind.PrepareForShutdown(True)

    def do_sleep(self, starts):
        self.logind.PrepareForSleep(starts)


def main():
    DBusGMainLoop(set_as_default=True)
    desktop = Desktop()
    loop = GLib.MainLoop()

    def take(line):
        try:
            desktop.do(line)
        except (dbus.DBusException, ValueError, IndexError) as error:
            tell("failed", asked=line.strip(), why=str(error))

    def read():
        # Not by GLib, which wouldn't hear of lines that Python has read ahead.
        for line in sys.stdin:
            GLib.idle_add(take, line)
        GLib.idle_add(loop.quit)

    threading.Thread(target=read, daemon=True).start()
    tell("ready")
    loop.run()


main()
