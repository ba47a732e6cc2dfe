"""A Pusher Channels server of our own, embedded: any Pusher client and any Pusher server library works with it.

``Hub`` keeps the clients of this process, a ``Publisher`` reaches them (and those of other processes), ``push_router``
is the way in over HTTP and WebSocket. Knows nothing of what is published.
"""
