import streamlit as st
st.title('effects')
