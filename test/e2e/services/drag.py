#!/usr/bin/env python3
"""drag.py FILE...: a window in the upper left corner, from which these files can be dragged, as from a file
manager. Prints the outcome of each drag."""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

uris = [GLib.filename_to_uri(file) for file in sys.argv[1:]]
window = Gtk.Window(title="drag from here", type=Gtk.WindowType.POPUP)
window.move(0, 0)
window.set_size_request(60, 60)
box = Gtk.EventBox()
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", lambda _box, _context, data, _info, _time: data.set_uris(uris))
box.connect("drag-end", lambda *_: print("ended", flush=True))
box.connect("drag-failed", lambda *_: print("failed", flush=True))
window.add(box)
window.show_all()
print("ready", flush=True)
Gtk.main()
