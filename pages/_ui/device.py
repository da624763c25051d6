"""Where runs compute: to be chosen where there are several devices."""

import streamlit as st

from ia_engine.devices import describe_device, list_devices


def choose_device() -> str:
    """The device that new runs compute on; where there is only one, nothing is asked."""
    devices = list_devices()
    if len(devices) == 1:
        return devices[0]
    return st.selectbox(
        "Compute on",
        devices,
        format_func=describe_device,
        key="device",
        help="Runs that are under way stay where they are",
    )
