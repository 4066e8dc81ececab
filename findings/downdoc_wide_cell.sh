#!/usr/bin/env bash
# downdoc moves the cells of a table whose cell spans columns or rows, and leaves out the last one.
#
# Expected: Markdown has no such cells: a wide one stands alone in its row or is repeated, and the rows after it are as
# they were.
# Seen with downdoc 1.1.0-stable (Node 20): the mark of the wide cell, "2+", is a part of the heading, the next row's
# cells move up into its row, and the dose at the end is in no cell. A list that goes on at 4 begins at 1. Of neither
# anything is said.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error downdoc@1.1.0-stable

cat > convert.mjs <<'END'
import downdoc from 'downdoc'
const table = rows => ['|===', '|Drug |Dose', '', ...rows, '|==='].join('\n')
for (const text of [table(['|A |5', '|B |10']), table(['2+|For adults', '|A |5']), table(['.2+|A |5', '|10', '|B |7']), '[start=4]\n. Rest.\n. Wait.']) {
  console.log(downdoc(text) + '\n')
}
END

node -p "'downdoc ' + JSON.parse(fs.readFileSync('node_modules/downdoc/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
| Drug | Dose |
| --- | --- |
| A | 5 |
| B | 10 |

| Drug | Dose 2+ |
| --- | --- |
| For adults | A |

| Drug | Dose .2+ |
| --- | --- |
| A | 5 |
| 10 | B |

1. Rest.
2. Wait.

END
