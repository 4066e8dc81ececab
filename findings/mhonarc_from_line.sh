#!/usr/bin/env bash
# MHonArc shows a line of a mail that begins with "From" as the words of somebody else.
#
# Expected: a mailbox parts its mails by lines that begin with "From ", so that programs write a line of the text that
# does so with a ">" before it; a reader takes the sign off, or shows it.
# Seen with MHonArc 2.6.19 (Debian 12): the line is a quotation, set off and without its sign, in one with the quoted
# line below: what the writer of the mail says of the dose is said by the one who is quoted. Lines of a text that flows
# (format=flowed) are not joined.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends mhonarc=2.6.19-2.2 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > mail.mbox <<'END'
From ann@example.org Thu Mar  5 09:30:00 2026
From: Ann Roe <ann@example.org>
Subject: Dose
Date: Thu, 5 Mar 2026 09:30:00 +0100
Message-ID: <1@example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8; format=flowed

Bo, this is how it is:

>From Monday on take 5 mg.
> Should I take 10 mg?

No. Not 
today.

END

dpkg-query -W mhonarc
mkdir pages
mhonarc -quiet -outdir pages mail.mbox
sed -n '/X-Body-of-Message--/,/X-Body-of-Message-End/p' pages/msg00000.html | sed '/^<!--/d; /^$/d' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<pre style="margin: 0em;">
Bo, this is how it is:
</pre><blockquote style="border-left: #5555EE solid 0.2em; margin: 0em; padding-left: 0.85em"><pre style="margin: 0em;">
From Monday on take 5 mg.
Should I take 10 mg?
</pre></blockquote><pre style="margin: 0em;">
</pre><tt>No. Not 
</tt><tt>today.
</tt><pre style="margin: 0em;">
</pre>
END
