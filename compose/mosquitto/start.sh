#!/bin/sh
# Starts the broker with the user "folkmoot", whose password is in .env, and with those that "folkmoot acl" made.
set -eu
umask 077
config=/mosquitto/config
data=/mosquitto/data

: > "$data/passwords"
mosquitto_passwd -b "$data/passwords" folkmoot "$BROKER_PASSWORD"
cat "$config/access" > "$data/access"
if [ -f "$config/folkmoot.passwords" ]; then
  cat "$config/folkmoot.passwords" >> "$data/passwords"
  cat "$config/folkmoot.acl" >> "$data/access"
fi

# Started as root, the broker becomes the user "mosquitto".
[ "$(id -u)" != 0 ] || chown -R mosquitto "$data"
exec mosquitto -c "$config/mosquitto.conf"
