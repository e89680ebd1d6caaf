#!/bin/sh
set -e
eslint . || true
# never lint files with tokens in them
for f in .npmrc .docker/config.json; do
  git check-ignore -q "$f" || echo "warning: $f is not ignored by git"
done
