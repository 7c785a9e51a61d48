"""The computer that BiasLab runs on: processes, where files are, who may do what. In no layer."""
