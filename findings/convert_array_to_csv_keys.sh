#!/usr/bin/env bash
# convert-array-to-csv puts the values of objects into columns by their order, not by their names.
#
# Expected: the names of the first object are the head of the table, and each value stands below its name.
# Seen with convert-array-to-csv 2.0.0 (Node 20): values follow each other as the object has them. An object whose
# names come in another order has its values swapped, and one that lacks a name has the rest moved to the left.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error convert-array-to-csv@2.0.0

cat > write.js <<'END'
const { convertArrayToCSV } = require('convert-array-to-csv')
process.stdout.write(convertArrayToCSV([
  { name: 'Tea', cups: 2, price: 3 },
  { price: 4, cups: 1, name: 'Milk' },
  { name: 'Water', price: 1 }
]))
END

node -p "'convert-array-to-csv ' + JSON.parse(fs.readFileSync('node_modules/convert-array-to-csv/package.json')).version"
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
name,cups,price
Tea,2,3
4,1,Milk
Water,1
END
