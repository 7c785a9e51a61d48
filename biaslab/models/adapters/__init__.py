"""Language models with an adapter: what somebody taught them, added to weights that stay."""

CONFIG_FILE, WEIGHTS_FILE = "adapter_config.json", "adapter_model.safetensors"
"""The files of an adapter, as the library peft writes them."""
