#!/usr/bin/env python3
"""A window in the upper left corner that takes what is dragged onto it, as a file manager or a mail program does.
Prints the addresses or the text that it gets."""

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402


def received(_box, context, _x, _y, data, _info, time):
    for line in data.get_uris() or [data.get_text()]:
        print(line, flush=True)
    Gtk.drag_finish(context, True, False, time)


window = Gtk.Window(title="drop here", type=Gtk.WindowType.POPUP)
window.move(0, 0)
window.set_size_request(60, 60)
box = Gtk.EventBox()
box.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY | Gdk.DragAction.LINK)
box.drag_dest_add_uri_targets()
# Chromium offers links as text, not as a list of addresses.
box.drag_dest_add_text_targets()
box.connect("drag-data-received", received)
window.add(box)
window.show_all()
print("ready", flush=True)
Gtk.main()
