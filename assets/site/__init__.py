"""The site without a server: `make site` writes its pages, films and tables as static files."""
