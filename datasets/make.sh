#!/usr/bin/env bash
# Makes the logs of this folder again, byte for byte: datasets/make.sh PATH-TO-BANDOLIER
set -euo pipefail
bandolier=$(realpath "$1")
cd "$(dirname "$0")"
rm -rf storefront.log storefront.log.truth.json
"$bandolier" generate storefront:tests=60 --events 50000 --seed 1 --log storefront.log
mv storefront.log.truth.json storefront.truth.json
rm storefront.log/LOCK storefront.log/HEAD.0
"$bandolier" export storefront.log --format jsonl | gzip -9n >storefront.jsonl.gz
