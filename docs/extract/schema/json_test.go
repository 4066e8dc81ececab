package schema

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const siYuan = `{"ID":"20240305101500-hidden1","Spec":"1","Type":"NodeDocument","Properties":{"id":"hidden","title":"绳结","updated":"20240306101500"},"Children":[
{"ID":"a","Type":"NodeHeading","HeadingLevel":2,"Properties":{"id":"hidden"},"Children":[{"Type":"NodeHeadingC8hMarker","Data":"## "},{"Type":"NodeText","Data":"Loops"}]},
{"Type":"NodeParagraph","Children":[{"Type":"NodeText","Data":"bow"},{"Type":"NodeTextMark","TextMarkType":"strong","TextMarkTextContent":"li"},{"Type":"NodeText","Data":"ne < hitch"},{"Type":"NodeKramdownSpanIAL","Data":"{: style}"},{"Type":"NodeTextMark","TextMarkType":"code","TextMarkTextContent":" &lt;tie&gt;"},{"Type":"NodeTextMark","TextMarkType":"strong s","TextMarkTextContent":"knot"},{"Type":"NodeStrikethrough","Children":[{"Type":"NodeStrikethrough2OpenMarker","Data":"~~"},{"Type":"NodeText","Data":" rope"}]}]},
{"Type":"NodeList","ListData":{"Typ":1},"Children":[{"Type":"NodeListItem","Children":[{"Type":"NodeParagraph","Children":[{"Type":"NodeText","Data":"hemp"}]}]}]},
{"Type":"NodeList","ListData":{"Typ":3},"Children":[{"Type":"NodeListItem","Children":[{"Type":"NodeTaskListItemMarker","TaskListItemChecked":true},{"Type":"NodeParagraph","Children":[{"Type":"NodeText","Data":"nylon"}]}]}]},
{"Type":"NodeCodeBlock","Children":[{"Type":"NodeCodeBlockFenceInfoMarker","CodeBlockInfo":"Z28="},{"Type":"NodeCodeBlockCode","Data":"tie()\n"}]},
{"Type":"NodeBlockQueryEmbed","Children":[{"Type":"NodeBlockQueryEmbedScript","Data":"SELECT hidden"}]}]}`

const keep = `{"color":"DEFAULT","isTrashed":false,"isPinned":true,"isArchived":false,"textContent":"First line\nsecond\n\nLast","title":"Shopping","userEditedTimestampUsec":1709633700000000,
"listContent":[{"text":"rope","isChecked":true},{"text":"tar","isChecked":false}],"labels":[{"name":"boat"}],"attachments":[{"filePath":"hidden.jpg","mimetype":"image/jpeg"}],"annotations":[{"description":"","source":"WEBLINK","title":"Ropes","url":"https://example.org/"}]}`

const telegram = `{"name":"Crew","type":"private_group","id":77,"messages":[
{"id":1,"type":"service","date":"2024-03-05T09:00:00","date_unixtime":"1709629200","actor":"Ann","action":"create_group","text":"","text_entities":[]},
{"id":2,"type":"message","date":"2024-03-05T10:15:07","from":"Ann","from_id":"user1","text":["Tie bow",{"type":"bold","text":"li"},"nes, see ",{"type":"link","text":"https://example.org"},{"type":"strikethrough","text":" once"}],"text_entities":[{"type":"plain","text":"hidden"}]},
{"id":3,"type":"message","date":"2024-03-06T08:00:00","from":"Bo","text":"","file_name":"plan.pdf","poll":{"question":"When?","answers":[{"text":"Dawn","voters":1}]}}]}`

const slack = `[{"client_msg_id":"hidden","type":"message","text":"Ahoy <@U2>, see <https://example.org|the plan> &amp; <#C1|deck>","user":"U1","ts":"1709633707.000100","user_profile":{"real_name":"Ann Seaborn"},"blocks":[{"type":"rich_text","elements":[{"type":"text","text":"hidden"}]}]},
{"type":"message","subtype":"bot_message","text":"","username":"Tides","ts":"1709633760.000200","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"High water at *six*"}}]},
{"type":"message","text":"Aye ~aye~ <@U1>~~\nok~","user":"U2","ts":"1709720160.000200","files":[{"name":"deck.pdf","title":"Deck"}]}]`

const fhirBundle = `{"type":"collection","resourceType":"Bundle","entry":[
{"fullUrl":"urn:uuid:hidden","resource":{"resourceType":"Patient","id":"hidden","text":{"status":"generated","div":"<div xmlns=\"http://www.w3.org/1999/xhtml\"><p>A keeper</p></div>"},"name":[{"family":"Seaborn","given":["Ada","M."]}],"birthDate":"1990-01-02"}},
{"resource":{"resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://loinc.org","code":"8302-2","display":"Body Height"}]},"effectiveDateTime":"2024-03-05T10:15:00Z","valueQuantity":{"value":170.5,"unit":"cm","system":"http://unitsofmeasure.org","code":"cm"},"category":[{"text":"vital signs"}]}},
{"resource":{"resourceType":"DocumentReference","date":"2024-03-06","content":[{"attachment":{"contentType":"text/plain; charset=utf-8","data":"U2xlZXBzIHdlbGwu"}},{"attachment":{"contentType":"application/pdf","title":"scan","data":"JVBERi0="}}]}}]}`

var jsonTests = []struct{ name, raw, title, date, attached, text string }{
	{"SiYuan", siYuan, "绳结", "2024-03-06", "", "# 绳结\n\n## Loops\n\nbowline < hitch <tie>~~knot rope~~\n\n1. hemp\n\n- [x] nylon\n\n```\ntie()\n```\n"},
	{"Keep", keep, "Shopping", "2024-03-05", "", "# Shopping\n\nFirst line\nsecond\n\nLast\n\n- [x] rope\n- [ ] tar\n\nRopes\nhttps://example.org/\n\nLabels: boat\n"},
	{"Telegram", telegram, "Crew", "", "plan.pdf", "# Crew\n\n## 2024-03-05\n\nAnn (10:15): Tie bowlines, see https://example.org ~~once~~\n\n## 2024-03-06\n\nBo (08:00): When?\nDawn\n"},
	{"an account of Telegram", `{"about":"This is the data you requested","personal_information":{"user_id":7},"chats":{"about":"x","list":[` + telegram + `,` + strings.ReplaceAll(telegram, "Crew", "Others") + `]}}`, "", "", "plan.pdf plan.pdf",
		"# Crew\n\n## 2024-03-05\n\nAnn (10:15): Tie bowlines, see https://example.org ~~once~~\n\n## 2024-03-06\n\nBo (08:00): When?\nDawn\n\n" +
			"# Others\n\n## 2024-03-05\n\nAnn (10:15): Tie bowlines, see https://example.org ~~once~~\n\n## 2024-03-06\n\nBo (08:00): When?\nDawn\n"},
	{"Slack", slack, "", "", "deck.pdf", "## 2024-03-05\n\nAnn Seaborn (10:15 UTC): Ahoy @U2, see the plan & #deck\n\nTides (10:16 UTC): High water at *six*\n\n## 2024-03-06\n\nU2 (10:16 UTC): Aye ~~aye~~ @Ann Seaborn~\u2060~\nok~\nDeck\n"},
	{"users of Slack", `[{"id":"U1","team_id":"T1","name":"ann","deleted":false,"profile":{"real_name":"Ann Seaborn","display_name":"Ann","title":"Captain","avatar_hash":"hidden","email":"ann@example.org"}},{"id":"U2","name":"bo"}]`, "", "", "",
		"Ann Seaborn, Ann, ann, Captain, ann@example.org\n\nbo\n"},
	{"channels of Slack", `[{"id":"C1","name":"deck","created":1,"creator":"U1","members":["U1"],"topic":{"value":"Ropes","creator":"U1"},"purpose":{"value":"All on deck"}}]`, "", "", "", "#deck\nRopes\nAll on deck\n"},
	{"FHIR", fhirBundle, "", "", "scan.pdf", "## Patient Ada M. Seaborn\n\nA keeper\n\nSeaborn Ada, M.\nBirth: 1990-01-02\n\n## Observation, 2024-03-05\n\nBody Height\n170.5 cm\nCategory: vital signs\n\n## Document Reference, 2024-03-06\n\nSleeps well.\n"},
	{"resources of what is not so", `{"resourceType":"Bundle","entry":[
{"resource":{"resourceType":"AllergyIntolerance","clinicalStatus":{"coding":[{"code":"inactive"}]},"verificationStatus":{"coding":[{"code":"refuted"}]},"code":{"text":"Codeine"}}},
{"resource":{"resourceType":"MedicationRequest","status":"active","doNotPerform":true,"medicationCodeableConcept":{"text":"Ibuprofen"},"dosageInstruction":[{"timing":{"repeat":{"frequency":1,"frequencyMax":2,"period":4,"periodMax":6,"periodUnit":"h"}},"asNeededBoolean":true,"maxDosePerPeriod":{"numerator":{"value":80,"unit":"mg"},"denominator":{"value":1,"unit":"wk"}},"doseAndRate":[{"doseRange":{"low":{"value":1},"high":{"value":2,"unit":"tablets"}}},{"doseQuantity":{"value":500,"system":"http://unitsofmeasure.org","code":"mg"}}]}]}},
{"resource":{"resourceType":"Procedure","status":"not-done","text":{"status":"generated","div":"<div>Colonoscopy</div>"},"performedDateTime":"2024-03-03"}},
{"resource":{"resourceType":"Condition","clinicalStatus":{"coding":[{"code":"active"}]},"verificationStatus":{"text":"Confirmed"},"code":{"coding":[{"code":"I26"}]},"abatementPeriod":{"end":"2019-10"}}}]}`, "", "", "",
		"## Allergy Intolerance, refuted, inactive\n\nCodeine\n\n## Medication Request, do not perform\n\nIbuprofen\nDosage instruction: 1–2 × every 4–6 h as needed at most 80 mg / 1 wk 1 – 2 tablets, 500 mg\n\n" +
			"## Procedure, not done, 2024-03-03\n\nColonoscopy\n\n## Condition\n\nI26\nAbatement: until 2019-10\n"},
	{"a result below a limit", `{"resourceType":"Observation","status":"final","code":{"text":"Troponin"},"valueQuantity":{"value":5,"comparator":"<","unit":"ng/L"},"referenceRange":[{"high":{"value":14,"unit":"ng/L"}},{"low":{"value":3}}],"component":[{"code":{"text":"Repeated"},"valueBoolean":false},{"code":{"text":"Titre"},"valueRatio":{"numerator":{"value":1},"denominator":{"value":128}}}]}`, "", "", "",
		"## Observation\n\nTroponin\n<5 ng/L\nReference: ≤ 14 ng/L, ≥ 3\nRepeated no, Titre 1:128\n"},
	{"members twice", `{"resourceType":"Observation","text":{"status":"empty"},"valueRatio":{"numerator":{"value":1},"numerator":{"value":2},"denominator":{"value":128}}}`, "", "", "", "## Observation\n\n1:128\n"},
	{"options of a questionnaire", `{"resourceType":"Questionnaire","title":"Smoking","text":{"status":"empty"},"status":"active","contained":[{"resourceType":"ValueSet","id":"yn","compose":{"include":[{"system":"http://snomed.info/sct","concept":[{"code":"1","display":"Yes"},{"code":"unsure"}]}]}},{"resourceType":"ValueSet","id":"left","expansion":{"contains":[{"code":"l","display":"left"},{"code":"r","display":"right"}]}}],` +
		`"item":[{"linkId":"1","text":"Do you smoke?","type":"choice","answerOption":[{"valueCoding":{"code":"N","display":"never"}},{"valueString":"daily","initialSelected":true},{"valueInteger":20}]},{"text":"Cough?","answerValueSet":"#yn"},{"text":"Arm?","options":{"reference":"#left"},"item":[{"text":"Why?","option":[{"valueCoding":{"display":"pain"}}],"answerValueSet":"http://example.org/other"}]}]}`, "Smoking", "", "",
		"## Questionnaire Smoking\n\nSmoking\nDo you smoke? Options: never, daily initial selected, 20\nCough? Options: Yes, unsure\nArm? Options: left, right\nWhy? Options: pain\n"},
	{"a questionnaire", `{"resourceType":"QuestionnaireResponse","text":{"status":"empty"},"status":"in-progress","item":[{"linkId":"1","text":"Do you smoke?","answer":[{"valueBoolean":false,"item":[{"text":"Since when?","answer":[{"valueDate":"2001"}]}]}]},{"text":"Family","item":[{"text":"Asthma?","answer":[{"valueCoding":{"code":"Y","display":"Mother"}}]}]}]}`, "", "", "",
		"## Questionnaire Response, in progress\n\nDo you smoke? no\nSince when? 2001\nFamily\nAsthma? Mother\n"},
	{"a claim", `{"resourceType":"Claim","text":{"status":"empty"},"status":"cancelled","item":[{"productOrService":{"text":"Ultrasound"},"quantity":{"value":2}}]}`, "", "", "", "## Claim, cancelled\n\nItem: Ultrasound 2\n"},
	{"a resource", `{"resourceType":"Condition","id":"hidden","code":{"text":"Sea legs"},"onsetDateTime":"2024-03-05"}`, "", "2024-03-05", "", "## Condition, 2024-03-05\n\nSea legs\n"},
	{"odd names", `{"resourceType":"Basic","meta":{"versionId":"1"},"":"x","édition":"y","authorNote":"z"}`, "", "", "", "## Basic\n\nx\nÉdition: y\nAuthor note: z\n"},
	{"a composition", `{"resourceType":"Composition","text":{"status":"generated"},"title":"Visit","section":[{"title":"Plan","text":{"div":"<div>Rest<br/>well</div>"},"section":[{"title":"Diet","text":{"div":"<div>Kelp</div>"}}]}]}`, "Visit", "", "",
		"## Composition Visit\n\nVisit\n\n### Plan\n\nRest\nwell\n\n#### Diet\n\nKelp\n"},
}

func TestReadJSON(t *testing.T) {
	for _, test := range jsonTests {
		if !IsKnownJSON([]byte(test.raw)) {
			t.Errorf("%s is not recognised", test.name)
			continue
		}
		c, err := ReadJSON([]byte(test.raw), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != test.text || c.Title != test.title || c.Date != test.date || c.ExtractionNote != "" || strings.Join(c.UnreadAttachments, " ") != test.attached {
			t.Errorf("%s: title %q, date %q, attached %q, note %q, %v\ngot  %q\nwant %q", test.name, c.Title, c.Date, c.UnreadAttachments, c.ExtractionNote, err, c.Text, test.text)
		}
	}
}

// TestSlackNames checks that the names of authors and of mentioned people are those in the other
// files of the export.
func TestSlackNames(t *testing.T) {
	names := ReadSlackNames([]byte(`[{"id":"U2","name":"bo","profile":{"real_name":"Bo Quay","display_name":"bo"}},{"id":"USLACKBOT","name":"slackbot"},{"id":"U3"`), nil, []byte(`[{"id":"C2","name":"deck","creator":"U2"}]`))
	if got, want := names.Replace("U2 (10:15 UTC): Ask @U1 in #C2, U22"), "Bo Quay (10:15 UTC): Ask @U1 in #deck, U22"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for text, want := range map[string]string{"<!here>, <!subteam^S1|@crew>: <!date^1^{date}|5 March> in <#C2|>, <mailto:a@example.org|a@example.org>": "@here, @crew: 5 March in #C2, a@example.org"} {
		if got := slackText(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for name, want := range map[string]string{"x/deck/2024-03-05.json": "x", "deck/2024-03-05.json": ".", "2024-03-05.json": "", "x/deck/notes.json": ""} {
		if root, ok := SlackExportRoot(name); ok != (want != "") || ok && root != want {
			t.Errorf("%s: %q, %t", name, root, ok)
		}
	}
}

// TestJSONParts checks that resources, one per line, become parts like those in a bundle.
func TestJSONParts(t *testing.T) {
	resource := jsonTests[len(jsonTests)-3].raw
	c, err := ReadJSON([]byte(resource+"\n"+resource+"\n"), extract.NoProgress)
	if err != nil || len(c.Parts) != 2 || c.Parts[1].Name != "Condition, 2024-03-05" {
		t.Errorf("%+v, %v", c.Parts, err)
	}
}

// TestOtherJSON checks that JSON of other shapes is not recognised.
func TestOtherJSON(t *testing.T) {
	for _, raw := range []string{
		`{"resourceType":"Bucket","name":"x"}`, `{"resourceType":"AWS::S3::Bucket","id":"1"}`, `{"messages":[{"id":1,"type":"error","date":"2024"}]}`,
		`[{"ts":1709633707.1,"type":"event"}]`, `{"name":"package","type":"module"}`, `{"title":"x","isPinned":true}`, `{}`, `[]`, `"x"`, `7`, ``, `words`,
	} {
		if IsKnownJSON([]byte(raw)) {
			t.Errorf("%s is recognised", raw)
		}
	}
}

func TestDamagedJSON(t *testing.T) {
	c, err := ReadJSON([]byte(telegram[:strings.Index(telegram, `{"id":3`)+30]), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || !strings.Contains(c.Text, "Ann (10:15): Tie bowlines") || c.ExtractionNote.String() != "the rest could not be read: damaged JSON" {
		t.Errorf("a half: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	_, err = ReadJSON([]byte(`{"resourceType":"Condition","code":{"text":7}`), extract.NoProgress)
	if err != nil && err.Error() != errDamagedJSON.Error() {
		t.Error(err)
	}
	const head = `{"resourceType":"Group","text":{"status":"x"},"a":`
	_, err = ReadJSON([]byte(head+strings.Repeat(`[`, 10_000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
	_, err = ReadJSON([]byte(head+"["+strings.Repeat(`0,`, maxValues+10)+`0]}`), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
	many := `{"resourceType":"Bundle","entry":[` + strings.Repeat(`{"resource":{"resourceType":"Group","name":"x"}},`, extract.MaxArchiveEntries+5) + `{}]}`
	if c, err := ReadJSON([]byte(many), extract.NoProgress); err != nil || len(c.Parts) != extract.MaxArchiveEntries {
		t.Errorf("%d parts, %v", len(c.Parts), err)
	}
}

func FuzzReadJSON(f *testing.F) {
	for _, test := range jsonTests {
		f.Add([]byte(test.raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadJSON(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
