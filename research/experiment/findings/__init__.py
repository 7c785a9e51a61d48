"""What the table says, a question a file: effects, and a sentence no surer than they are."""
