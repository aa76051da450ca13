"""``python -m evaudit``."""

from evaudit.cli import main

if __name__ == "__main__":
    main()
