"""Published claims that changed problems break models, judged again from their released files."""
