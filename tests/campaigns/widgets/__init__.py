"""Every action on widgets of well-known libraries, with the page's own state as the witness."""
