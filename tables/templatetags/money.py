"""Money and local time in templates."""

from django import template

from tables.web.formats import localtime, minor_as_major, money

register = template.Library()

register.filter("money", money)
register.filter("minor_as_major", minor_as_major)
register.filter("localtime", localtime)
