#!/usr/bin/env bash
# marked-man makes a struck-out dose a negative one in a manual page, and takes the numbers from steps.
#
# Expected: what is struck out is marked as such, or the two tildes stay, as go-md2man leaves them; a numbered list has
# numbers, as .IP of man can have them.
# Seen with marked-man 2.1.1 (Node 20) and mandoc 1.14.6 (Debian 12): "~~5 mg~~ 10 mg" is "-5 mg- 10 mg". The
# items of a numbered list have bullets, so that "see step 2" names none.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends mandoc=1.14.6-1+b1 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error marked-man@2.1.1
cat > doses.md <<'END'
# doses(1) -- how much

## STEPS

Take ~~5 mg~~ 10 mg.

1. Mix it.
2. Drink it.

Then see step 2.
END
node_modules/.bin/marked-man doses.md > doses.1
node -p "'marked-man ' + JSON.parse(fs.readFileSync('node_modules/marked-man/package.json')).version"
dpkg-query -W mandoc
mandoc -T utf8 doses.1 | col -b | sed -n '/STEPS/,/see/p' | sed 's/^ *//' | grep -v '^$' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
STEPS
Take -5 mg- 10 mg.
	• Mix it.
	• Drink it.
Then see step 2.
END
