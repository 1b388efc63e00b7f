#!/usr/bin/env bash
# install.sh CMAKE BUILD PREFIX: installs into an empty PREFIX, in which nothing of an older build can help.
set -euo pipefail
rm -rf "$3"
"$1" --install "$2" --prefix "$3"
