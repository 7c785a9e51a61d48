import streamlit as st
st.title('compose')
