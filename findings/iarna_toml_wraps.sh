#!/usr/bin/env bash
# @iarna/toml reads a number that is too large as a negative one, and 30 February as 2 March.
#
# Expected: an error for both: TOML has integers of 64 bits, an error where one cannot be kept without loss, and
# days that there are.
# Seen with @iarna/toml 3.0.0 and toml 5.0.1 (Node 20): 9223372036854775808 is -9223372036854775808. toml refuses
# all that a number of JavaScript does not hold.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @iarna/toml@3.0.0 toml@5.0.1

cat > read.js <<'END'
for (const name of ['@iarna/toml', 'toml']) {
  const { parse } = require(name)
  for (const value of ['9223372036854775807', '9223372036854775808', '20260305093000000000', '2026-02-28', '2026-02-30']) {
    try {
      const { read } = parse(`read = ${value}`)
      console.log(name, value, read instanceof Date ? read.toISOString() : String(read))
    } catch {
      console.log(name, value, 'error')
    }
  }
}
END

for package in @iarna/toml toml; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
@iarna/toml 9223372036854775807 9223372036854775807
@iarna/toml 9223372036854775808 -9223372036854775808
@iarna/toml 20260305093000000000 1813561019290448384
@iarna/toml 2026-02-28 2026-02-28
@iarna/toml 2026-02-30 2026-03-02
toml 9223372036854775807 error
toml 9223372036854775808 error
toml 20260305093000000000 error
toml 2026-02-28 2026-02-28
toml 2026-02-30 error
END
