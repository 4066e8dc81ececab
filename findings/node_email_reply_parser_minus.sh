#!/usr/bin/env bash
# node-email-reply-parser takes a line that begins with a minus for a signature: a mail ends before "-5 mg in the
# morning".
#
# Expected: a signature stands below "--" on a line of its own, or is the line that a phone adds at the end ("Sent from
# my phone").
# Seen with node-email-reply-parser 0.1.4 and email-reply-parser 2.3.9 (Node 20): the first leaves out what the reply
# changes, and all that follows. A blank behind the minus makes it an item of a list, which stays. The second does the
# same with a sentence that begins with "Sent from", wherever it stands.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error node-email-reply-parser@0.1.4 email-reply-parser@2.3.9

cat > read.mjs <<'END'
import reply from 'node-email-reply-parser'
import EmailReplyParser from 'email-reply-parser'
const mails = ['Dear Ann,\n\nthe dose changes by:\n-5 mg in the morning\n-10 mg at night\n\nBo',
  'Dear Ann,\n\nnow:\n- take 5 mg\n- not 10 mg\n\nBo',
  'Dear Ann,\n\nthe tubes are here.\n\nSent from the ward on Monday: 5 of them.\nKeep them at 5 °C.\n\nBo']
for (const mail of mails) {
  console.log('mail', JSON.stringify(mail))
  console.log('  node-email-reply-parser', JSON.stringify(reply(mail).getVisibleText()))
  console.log('  email-reply-parser', JSON.stringify(new EmailReplyParser().read(mail).getVisibleText()))
}
END

for package in node-email-reply-parser email-reply-parser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
mail "Dear Ann,\n\nthe dose changes by:\n-5 mg in the morning\n-10 mg at night\n\nBo"
  node-email-reply-parser "Dear Ann,\n\nthe dose changes by:"
  email-reply-parser "Dear Ann,\n\nthe dose changes by:\n-5 mg in the morning\n-10 mg at night\n\nBo"
mail "Dear Ann,\n\nnow:\n- take 5 mg\n- not 10 mg\n\nBo"
  node-email-reply-parser "Dear Ann,\n\nnow:\n- take 5 mg\n- not 10 mg\n\nBo"
  email-reply-parser "Dear Ann,\n\nnow:\n- take 5 mg\n- not 10 mg\n\nBo"
mail "Dear Ann,\n\nthe tubes are here.\n\nSent from the ward on Monday: 5 of them.\nKeep them at 5 °C.\n\nBo"
  node-email-reply-parser "Dear Ann,\n\nthe tubes are here.\n\nSent from the ward on Monday: 5 of them.\nKeep them at 5 °C.\n\nBo"
  email-reply-parser "Dear Ann,\n\nthe tubes are here.\n"
END
