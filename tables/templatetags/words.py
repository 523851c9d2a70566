"""The one filter that puts codes into words."""

from django import template

from tables.web.words import words

register = template.Library()
register.filter(words)
