#!/usr/bin/env bash
# Lucene has no word for ½ and drops small digits: CO₂ is found as CO, and 10⁶ as 10.
#
# Expected: CO₂ and 10⁶ are words, as CO2 and x2 are, or as the index for Chinese makes 250 of ２５０.
# Seen with liblucene8-java 8.8.1 (Debian 12), its analyzers for English, German, French and Chinese, Japanese and
# Korean: raised and lowered digits and fractions part words and are not in the index: H₂O is "h" and "o", m² and m³
# are both "m", and of "1½ tablets" the 1 is left. A question for CO₂ finds CO (carbon monoxide). In French "C" is left
# out as a word as well, so that C₆H₁₂O₆ is "h" and "o".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends liblucene8-java=8.8.1-4 default-jdk-headless > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > Words.java <<'END'
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

public class Words {
    public static void main(String[] arguments) throws Exception {
        Map<String, Analyzer> analyzers = new LinkedHashMap<>();
        analyzers.put("English", new EnglishAnalyzer());
        analyzers.put("German", new GermanAnalyzer());
        analyzers.put("French", new FrenchAnalyzer());
        analyzers.put("CJK", new CJKAnalyzer());
        for (Map.Entry<String, Analyzer> each : analyzers.entrySet()) {
            for (String text : new String[] {"CO2", "CO₂", "10⁶", "m² m³", "1½ tablets", "H₂O", "C₆H₁₂O₆"}) {
                List<String> words = new ArrayList<>();
                try (TokenStream stream = each.getValue().tokenStream("text", text)) {
                    CharTermAttribute word = stream.addAttribute(CharTermAttribute.class);
                    stream.reset();
                    while (stream.incrementToken()) words.add(word.toString());
                    stream.end();
                }
                System.out.println(each.getKey() + ", " + text + " -> " + String.join(" | ", words));
            }
        }
    }
}
END
dpkg-query -W liblucene8-java
jars=$(printf '%s:' /usr/share/java/lucene-core-8.*.jar /usr/share/java/lucene-analyzers-common-8.*.jar)
java -cp "$jars" Words.java > seen.txt 2> log.txt || { cat log.txt; exit 1; }
cat seen.txt
diff seen.txt - <<'END'
English, CO2 -> co2
English, CO₂ -> co
English, 10⁶ -> 10
English, m² m³ -> m | m
English, 1½ tablets -> 1 | tablet
English, H₂O -> h | o
English, C₆H₁₂O₆ -> c | h | o
German, CO2 -> co2
German, CO₂ -> co
German, 10⁶ -> 10
German, m² m³ -> m | m
German, 1½ tablets -> 1 | tablet
German, H₂O -> h | o
German, C₆H₁₂O₆ -> c | h | o
French, CO2 -> co2
French, CO₂ -> co
French, 10⁶ -> 10
French, m² m³ -> 
French, 1½ tablets -> 1 | tablet
French, H₂O -> h | o
French, C₆H₁₂O₆ -> h | o
CJK, CO2 -> co2
CJK, CO₂ -> co
CJK, 10⁶ -> 10
CJK, m² m³ -> m | m
CJK, 1½ tablets -> 1 | tablets
CJK, H₂O -> h | o
CJK, C₆H₁₂O₆ -> c | h | o
END
