"""Starts the responder that SQUARE_SERVICE names. Each brings its own library, so only the one is imported."""

import importlib
import logging
import os
import sys

from square_service.settings import SettingsError

RESPONDERS = ("kafka", "nats", "rest", "rest_stock")


def main():
    name = os.environ.get("SQUARE_SERVICE", "")
    if name not in RESPONDERS:
        sys.exit(f"SQUARE_SERVICE must be one of {', '.join(RESPONDERS)}, but it is '{name}'")
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        importlib.import_module(f"square_service.{name}").main()
    except SettingsError as e:
        sys.exit(str(e))


main()
