"""The static site: `make site` writes its pages, animations and tables as files."""
