"""The campaign ``mirror``: does looking again tell what a full look tells, whatever has happened to the page?"""
