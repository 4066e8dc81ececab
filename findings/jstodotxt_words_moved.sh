#!/usr/bin/env bash
# jstodotxt moves words of a task to its end: "Take 5 @morning 10 @evening" becomes "Take 5 10 @morning @evening".
#
# Expected: contexts (@) and projects (+) stand anywhere in a task of todo.txt, also as words of its sentence, and a
# task that is read and written is the same line.
# Seen with jstodotxt 0.10.0 and todotxt 1.1.1 (Node 20): they are taken out of the text, which the blanks around them
# stay in, and written behind it, projects first, so that what belongs to which is lost; a telephone number is a
# project. The other library keeps the text as it is.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error jstodotxt@0.10.0 todotxt@1.1.1

cat > read.js <<'END'
const { TodoTxtItem } = require('jstodotxt')
const todotxt = require('todotxt')
for (const line of ['(A) Take 5 mg @home', 'Take 5 @morning 10 @evening', 'Give +drops to @ward1 not @ward2', 'Call +4930123 at nine']) {
  const item = new TodoTxtItem(line)
  console.log(`${line}\n  jstodotxt: ${JSON.stringify(item.text)}, written ${JSON.stringify(item.toString())}`)
  console.log(`  todotxt:   ${JSON.stringify(todotxt.parse(line)[0].text)}`)
}
END

for package in jstodotxt todotxt; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
(A) Take 5 mg @home
  jstodotxt: "Take 5 mg", written "(A) Take 5 mg @home"
  todotxt:   "Take 5 mg @home"
Take 5 @morning 10 @evening
  jstodotxt: "Take 5  10", written "Take 5  10 @morning @evening"
  todotxt:   "Take 5 @morning 10 @evening"
Give +drops to @ward1 not @ward2
  jstodotxt: "Give  to  not", written "Give  to  not +drops @ward1 @ward2"
  todotxt:   "Give +drops to @ward1 not @ward2"
Call +4930123 at nine
  jstodotxt: "Call  at nine", written "Call  at nine +4930123"
  todotxt:   "Call +4930123 at nine"
END
