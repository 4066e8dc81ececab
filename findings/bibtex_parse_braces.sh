#!/usr/bin/env bash
# bibtex-parse takes braces out of LaTeX: 10^{12} cells become 10^12, which LaTeX shows as 10¹2.
#
# Expected: braces around words keep their capitals in BibTeX and may go; those that hold what a command or an exponent
# applies to are a part of the title, or the title becomes plain text without commands.
# Seen with bibtex-parse 2.1.0 (Node 20): entries() has the commands without the braces: "\emph{tea}" is "\emphtea", which
# is no command. A firm, "{Roe, Inc.}", is a person with the first name Inc. without them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error bibtex-parse@2.1.0

cat > read.js <<'END'
const { entries } = require('bibtex-parse')
const [{ TITLE, AUTHOR }] = entries(String.raw`@article{a,
  title = {On $10^{12}$ cells, \emph{tea} and the {DNA}},
  author = {{Roe, Inc.} and Doe, Bob}
}`)
console.log(TITLE)
console.log(AUTHOR)
END

node -p "'bibtex-parse ' + JSON.parse(fs.readFileSync('node_modules/bibtex-parse/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
On $10^12$ cells, \emphtea and the DNA
Roe, Inc. and Doe, Bob
END
