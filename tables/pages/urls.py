"""Addresses of the floor's pages."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from tables.pages import sign_in

urlpatterns = [
    path("", sign_in.home, name="home"),
    path("sign-in/", sign_in.SignInPage.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
]
