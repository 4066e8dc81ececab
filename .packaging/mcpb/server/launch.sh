#!/bin/sh
# Starts the program of this machine. Hosts choose by the system and not by the
# processor, and some unpack an extension without the right to run its files, so that
# a shell has to read this one.
set -eu

refuse() {
  echo "vademecum: $*" >&2
  exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
case $(uname -s) in
  Darwin) system=darwin ;;
  Linux) system=linux ;;
  *) refuse "this extension has no program for $(uname -s)" ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=amd64 ;;
  arm64 | aarch64) machine=arm64 ;;
  *) refuse "this extension has no program for processors of the kind $(uname -m)" ;;
esac
program=$here/$system-$machine/vademecum
[ -f "$program" ] || refuse "the host has lost $program: install the extension once more"
[ -x "$program" ] || chmod u+x "$program" || refuse "the right to run $program is missing and cannot be given"
exec "$program" "$@"
