#!/usr/bin/env bash
# Redox's parser for HL7 turns a line break into the letters ".br" when it writes a message that it has read.
#
# Expected: escapes that the library does not know stay as they are, as it takes back and writes anew those of the
# delimiters (\T\ for &): a message that is read and written says the same.
# Seen with @redoxengine/redox-hl7-v2 1.0.1 (Node 20): "\.br\", the line break of a formatted text, is left as it is on
# reading, and its backslashes are escaped on writing, which makes it text: a reader such as python3-hl7 0.4.5 (Debian
# 12) shows "5 mg\.br\10 drops" in one line. It is the same with \H\ (highlighted) and with a character in hexadecimal.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-hl7=0.4.5-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @redoxengine/redox-hl7-v2@1.0.1

cat > round.mjs <<'END'
import { writeFileSync } from 'node:fs'
import redox from '@redoxengine/redox-hl7-v2'
const text = String.raw`5 mg\.br\10 drops \T\ \H\rest\N\ \XB5\g`
const message = [String.raw`MSH|^~\&|LAB|A|EHR|B|20260305||ORU^R01^ORU_R01|1|P|2.5.1`, 'PID|1||123', 'OBR|1|||N^Note^L',
  `OBX|1|FT|N^Note^L||${text}||||||F`].join('\r')
writeFileSync('before.hl7', message)
writeFileSync('after.hl7', new redox.Generator().write(new redox.Parser().parse(message)))
END

cat > read.py <<'END'
import hl7

for name in ['before', 'after']:
    message = hl7.parse(open(name + '.hl7', newline='').read())
    text = str(message.segment('OBX')[5])
    print(name, text, '|', repr(message.unescape(text)))
END

node round.mjs
node -p "'@redoxengine/redox-hl7-v2 ' + JSON.parse(fs.readFileSync('node_modules/@redoxengine/redox-hl7-v2/package.json')).version"
dpkg-query -W python3-hl7
/usr/bin/python3 read.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
before 5 mg\.br\10 drops \T\ \H\rest\N\ \XB5\g | '5 mg\r10 drops & _rest_ µg'
after 5 mg\E\.br\E\10 drops \T\ \E\H\E\rest\E\N\E\ \E\XB5\E\g | '5 mg\\.br\\10 drops & \\H\\rest\\N\\ \\XB5\\g'
END
