"""Streamlit pieces that the screens share: what is read, how it is worded and drawn."""
