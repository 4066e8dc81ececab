package schema

import (
	"cmp"
	stdhtml "html"
	"slices"
	"strconv"
	"strings"
	"time"

	"vademecum/docs/extract/chat"
	"vademecum/docs/extract/markdown"
)

// siYuanElements maps block types of SiYuan to HTML elements. Other blocks are written as text.
var siYuanElements = map[string]string{
	"NodeParagraph": "p", "NodeList": "ul", "NodeListItem": "li", "NodeBlockquote": "blockquote", "NodeCallout": "div", "NodeSuperBlock": "div",
	"NodeTable": "table", "NodeTableHead": "thead", "NodeTableRow": "tr", "NodeTableCell": "td", "NodeCodeBlockCode": "pre", "NodeMathBlockContent": "p",
	"NodeStrikethrough": "s",
}

// readSiYuan writes a SiYuan document, which is a tree of blocks (github.com/88250/lute, package
// ast).
func (r *jsonReader) readSiYuan(o object) {
	r.title, r.date = markdown.OneLine(o.text("Properties/title")), dayOf(o.text("Properties/updated"))
	r.w.WriteHeading(1, r.title)
	var b strings.Builder
	writeSiYuan(&b, o)
	r.writeHTML(b.String(), 0)
}

// writeSiYuan writes a block of the tree and its descendants to b as HTML.
func writeSiYuan(b *strings.Builder, o object) {
	kind, text := o.text("Type"), o.text("Data")
	tag := siYuanElements[kind]
	switch kind {
	case "NodeHeading":
		tag = "h" + strconv.Itoa(min(max(o.number("HeadingLevel"), 1), 6))
	case "NodeList":
		if o.number("ListData/Typ") == 1 {
			tag = "ol"
		}
	}
	if tag != "" {
		b.WriteString("<" + tag + ">")
	}
	switch kind {
	case "NodeText", "NodeCodeBlockCode", "NodeMathBlockContent", "NodeLinkText", "NodeBackslashContent", "NodeSoftBreak", "NodeHTMLEntity":
		b.WriteString(stdhtml.EscapeString(text))
	case "NodeBr", "NodeHardBreak":
		b.WriteString("<br>")
	case "NodeHTMLBlock":
		b.WriteString("<div>" + text + "</div>")
	case "NodeCallout":
		b.WriteString("<p>" + stdhtml.EscapeString(o.text("CalloutTitle")) + "</p>")
	case "NodeTaskListItemMarker":
		box := "[ ] "
		if o.get("TaskListItemChecked") == true {
			box = "[x] "
		}
		b.WriteString(box)
	case "NodeTextMark":
		shown := o.firstText("TextMarkTextContent", "TextMarkInlineMathContent")
		if memo := o.text("TextMarkInlineMemoContent"); memo != "" {
			shown += " (" + memo + ")"
		}
		shown = stdhtml.EscapeString(stdhtml.UnescapeString(shown))
		if slices.Contains(strings.Fields(o.text("TextMarkType")), "s") {
			shown = "<s>" + shown + "</s>"
		}
		b.WriteString(shown)
	}
	children := o.objects("Children")
	if kind == "NodeListItem" && len(children) > 1 && children[0].text("Type") == "NodeTaskListItemMarker" { // the marker of a task belongs to the paragraph after it
		writeSiYuan(b, children[0])
		b.WriteString("<span>")
		for _, c := range children[1].objects("Children") {
			writeSiYuan(b, c)
		}
		b.WriteString("</span>")
		children = children[2:]
	}
	for _, child := range children {
		writeSiYuan(b, child)
	}
	if tag != "" {
		b.WriteString("</" + tag + ">")
	}
}

// readKeep writes a Google Keep note as exported by Takeout.
func (r *jsonReader) readKeep(o object) {
	r.title = markdown.OneLine(o.text("title"))
	if µs, err := strconv.ParseInt(o.firstText("userEditedTimestampUsec", "createdTimestampUsec"), 10, 64); err == nil && µs > 0 {
		r.date = time.UnixMicro(µs).UTC().Format(time.DateOnly)
	}
	r.w.WriteHeading(1, r.title)
	for paragraph := range strings.SplitSeq(o.text("textContent"), "\n\n") {
		r.w.WriteParagraph(paragraph)
	}
	for _, item := range o.objects("listContent") {
		box := "[ ] "
		if item.get("isChecked") == true {
			box = "[x] "
		}
		r.w.WriteListItem(0, markdown.Bullet, box+item.text("text"))
	}
	for _, a := range o.objects("annotations") {
		r.w.WriteParagraph(strings.Join([]string{a.text("title"), a.text("description"), a.text("url")}, "\n"))
	}
	var labels []string
	for _, l := range o.objects("labels") {
		labels = append(labels, l.text("name"))
	}
	if len(labels) > 0 {
		r.w.WriteParagraph("Labels: " + strings.Join(labels, ", "))
	}
}

// readTelegram writes a message from an export of Telegram Desktop.
func (r *jsonReader) readTelegram(o object) {
	var text markdown.InlineText
	text.WriteString(o.text("text"))
	if pieces, ok := o.get("text").(array); ok {
		for _, piece := range pieces {
			switch piece := piece.(type) {
			case string:
				text.IsNextStruck = false
				text.WriteString(piece)
			case object:
				text.IsNextStruck = piece.text("type") == "strikethrough"
				text.WriteString(piece.text("text"))
			}
		}
		text.IsNextStruck = false
	}
	if poll := o.text("poll/question"); poll != "" {
		text.WriteString("\n" + poll)
		for _, answer := range o.objects("poll/answers") {
			text.WriteString("\n" + answer.text("text"))
		}
	}
	if file := o.text("file_name"); file != "" {
		r.attached = append(r.attached, markdown.OneLine(file))
	}
	day, clock, _ := strings.Cut(o.text("date"), "T")
	r.chat.Write(chat.Message{Day: day, Time: clock[:min(len(clock), len("15:04"))], Sender: o.firstText("from", "actor"), Text: text.String()})
}

// readSlack writes a message from a Slack export, in which each file contains the messages of one
// day.
func (r *jsonReader) readSlack(o object) {
	if r.users == nil {
		r.users = make(SlackNames)
	}
	id := o.text("user")
	r.users.add(id, o.firstText("user_profile/real_name", "user_profile/display_name", "user_profile/name"))
	text := o.text("text")
	if text == "" {
		text = blockText(o.objects("blocks"))
	}
	for _, a := range o.objects("attachments") {
		text += "\n" + a.firstText("title", "fallback") + "\n" + a.text("text")
	}
	for _, f := range o.objects("files") {
		if name := f.firstText("title", "name"); name != "" {
			text += "\n" + name
			r.attached = append(r.attached, markdown.OneLine(f.firstText("name", "title")))
		}
	}
	m := chat.Message{Sender: cmp.Or(r.users[id], o.firstText("username", "bot_profile/name"), id), Text: slackText(text)}
	if seconds, err := strconv.ParseFloat(o.text("ts"), 64); err == nil && seconds > 0 && seconds < 1e11 {
		at := time.Unix(int64(seconds), 0).UTC()
		m.Day, m.Time = at.Format(time.DateOnly), at.Format("15:04 UTC")
	}
	r.chat.Write(m)
}
