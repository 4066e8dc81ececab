#!/usr/bin/env bash
# text-statistics counts a word more than a text has, and more sentences: "Take one pill" has four words, "Stop" two.
#
# Expected: three words and one; "Take one pill. Rest." has two sentences and four words.
# Seen with text-statistics 0.1.1 (Node 20), a port of a library for PHP: what stands behind the last full stop, nothing,
# counts as a word and in a text of several sentences as a sentence. 2.5 is two words and ends a sentence, and a letter
# with a mark, as in German, parts words. All indices of how hard a text is to read are reckoned from these counts.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts text-statistics@0.1.1

cat > read.js <<'END'
const statistics = require('text-statistics')
for (const text of ['Stop', 'Take one pill', 'Take one pill. Rest.', 'Take one pill. Rest. Go home now.', 'Take 2.5 pills.', 'Über Größe']) {
  const seen = statistics(text)
  console.log(`${JSON.stringify(text)}: ${seen.wordCount()} words, ${seen.sentenceCount()} sentences, ${seen.averageWordsPerSentence().toFixed(1)} a sentence, Flesch ${seen.fleschKincaidReadingEase()}`)
}
END

node -p "'text-statistics ' + JSON.parse(fs.readFileSync('node_modules/text-statistics/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Stop": 2 words, 1 sentences, 1.0 a sentence, Flesch 163.5
"Take one pill": 4 words, 1 sentences, 2.0 a sentence, Flesch 141.4
"Take one pill. Rest.": 5 words, 3 sentences, 1.3 a sentence, Flesch 138.1
"Take one pill. Rest. Go home now.": 8 words, 4 sentences, 1.6 a sentence, Flesch 131.5
"Take 2.5 pills.": 5 words, 3 sentences, 1.3 a sentence, Flesch 138.1
"Über Größe": 5 words, 1 sentences, 2.5 a sentence, Flesch 170.5
END
