"""Filters for the figures of a report."""

from django import template

from reporting.figures.wording import percent

register = template.Library()

register.filter(percent)
