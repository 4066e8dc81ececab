#!/usr/bin/env bash
# notmuch does not find Müller in a mail that is HTML, and finds the colours and scripts of the page.
#
# Expected: a search finds the words that a reader of the mail sees.
# Seen with notmuch 0.37 (Debian 12): tags are blanks to it, and nothing is known of what they mean: "M&uuml;ller" is
# the words M and ller, un<b>believ</b>able three words, and what stands in <style> and <script> is text, while Müller
# that is written as it is and a mail of plain text are found.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends notmuch=0.37-1+b1 > install.txt 2>&1 || { cat install.txt; exit 1; }
mkdir -p mail/cur mail/new mail/tmp
cat > mail/cur/dose:2,S <<'END'
From: Ann Roe <ann@example.org>
To: Bob <bob@example.org>
Subject: Dose
Date: Thu, 05 Mar 2026 09:30:00 +0000
Message-ID: <dose@example.org>
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<html><head><style>p.walrus { margin: 0 }</style></head><body><p>Ask M&uuml;ller or Gr&#246;ner about it, not Schäfer. It is
un<b>believ</b>able.</p><script>var lantern = 1</script></body></html>
END
printf '[database]\npath=%s/mail\n[user]\nname=Bob\nprimary_email=bob@example.org\n' "$folder" > config
export NOTMUCH_CONFIG=$folder/config
notmuch new > new.txt 2>&1
notmuch --version
for word in Schäfer Müller ller Gröner unbelievable believ walrus lantern; do echo "$word: $(notmuch count "$word")"; done > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Schäfer: 1
Müller: 0
ller: 1
Gröner: 0
unbelievable: 0
believ: 1
walrus: 1
lantern: 1
END
