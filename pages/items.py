import streamlit as st
st.title('items')
