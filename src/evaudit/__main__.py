"""``python -m evaudit``."""

from evaudit.cli import process

if __name__ == "__main__":
    process()
