#!/usr/bin/env bash
# uniorg-stringify writes the number that a list goes on with into the text of its item: 5 mg becomes 35 mg.
#
# Expected: a document of Org that is parsed and written is the same: "3. [@3] 5 mg" says that the list goes on at 3.
# Seen with uniorg-parse 3.2.2 and uniorg-stringify 1.4.0 (Node 20): of [@3] the 3 is left, right before the text. What
# tells where and how a block of code is run (:tangle, -n) is gone, and so are the name and the caption above a table.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error uniorg-parse@3.2.2 uniorg-stringify@1.4.0

cat > write.mjs <<'END'
import { parse } from 'uniorg-parse/lib/parser.js'
import { stringify } from 'uniorg-stringify/lib/stringify.js'
const texts = ['3. [@3] 5 mg\n4. 10 mg\n', '#+begin_src sh -n 10 :tangle dose.sh\n  echo 5\n#+end_src\n', '#+caption: Doses\n#+name: doses\n| mg | 5 |\n']
for (const text of texts) console.log(JSON.stringify(text), 'becomes', JSON.stringify(stringify(parse(text))))
END

for package in uniorg-parse uniorg-stringify; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"3. [@3] 5 mg\n4. 10 mg\n" becomes "3. 35 mg\n4. 10 mg\n"
"#+begin_src sh -n 10 :tangle dose.sh\n  echo 5\n#+end_src\n" becomes "#+begin_src sh\n  echo 5\n#+end_src\n"
"#+caption: Doses\n#+name: doses\n| mg | 5 |\n" becomes "| mg | 5 |\n"
END
