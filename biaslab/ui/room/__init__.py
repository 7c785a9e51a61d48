"""The live room on the screens of its host: opened, led, shown on a wall, read afterwards."""
