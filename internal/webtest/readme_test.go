package webtest

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// letters are the documents for the pictures in the README, by language.
var letters = map[string]struct{ file, html, question, ask string }{
	"": {"Discharge letter.pdf", letter("Discharge letter", "Invented sample, not medical advice.",
		"You were in hospital from 3 to 9 March with a heart attack. A stent was put into one of your coronary arteries.",
		"Take aspirin 100 mg and ticagrelor 90 mg as written in the plan, and never stop one of them by yourself: the stent may close. Ibuprofen and similar painkillers weaken aspirin and raise blood pressure; paracetamol is the better choice.",
		"No driving for one week after the procedure, and for four weeks if the pumping power of the heart was reduced. Lorry and bus drivers need the opinion of a specialist first.",
		"Walk every day, a little further each week. Sexual activity is possible when two flights of stairs cause no complaints.",
		"The small wound at the wrist may be washed after two days. Press on it and lie down if it bleeds; come back if the hand becomes cold, blue or numb, or if the swelling grows from hour to hour.",
		"Eat vegetables, pulses, fish and whole grain, little salt, and olive or rape seed oil in place of butter. Smoking undoes what the stent has done: ask us for nicotine patches and for the group that meets on Thursdays.",
		"Blood pressure should be below 130 over 80 at home, and LDL cholesterol below 1.4 mmol/L. Write down your values in the morning and in the evening for one week before each visit, and bring the booklet along.",
		"Call the ambulance at once for pressure in the chest that lasts longer than five minutes, for sudden breathlessness, or for a fast beat of the heart with dizziness. Do not drive to the hospital yourself.",
		"You may go back to an office after two weeks. Heavy work, diving and flights of more than four hours wait until the clinic has seen you. The form for your employer is enclosed.",
		"See your family doctor within seven days, and the cardiology clinic after six weeks with a new ultrasound of the heart."),
		"driving after a stent", "When may I drive again after low blood sugar?"},
	".zh-CN": {"出院小结.pdf", letter("出院小结", "虚构样例，不是医疗建议。",
		"患者于三月三日至九日因急性心肌梗死住院，在一支冠状动脉内植入支架一枚。",
		"阿司匹林每日一百毫克，替格瑞洛九十毫克每日两次，按计划服用，不可自行停药，否则支架可能闭塞。布洛芬等止痛药会削弱阿司匹林的作用并升高血压，疼痛时首选对乙酰氨基酚。",
		"术后一周内不要开车；心脏射血功能下降者四周内不要开车。货车和客车司机须先由专科医生评估。",
		"每天步行，逐周增加距离。能连续上两层楼而无不适，可以恢复性生活。",
		"手腕的小伤口两天后可以沾水。出血时用力按压并躺下；手变冷、发紫、发麻，或者肿胀一小时比一小时大，请立即回院。穿刺一侧的手一周内不要提超过三公斤的东西。",
		"多吃蔬菜、豆类、鱼和全谷物，少盐，用橄榄油或菜籽油代替黄油。吸烟会让支架前功尽弃：可向我们索取尼古丁贴片，也可以参加每周四的戒烟小组。酒最好不喝，浓茶和浓咖啡要少喝。",
		"在家血压应低于130/80，低密度脂蛋白胆固醇应低于1.4 mmol/L。每次复诊前一周，早晚各记录一次血压，就诊时把记录本带来。体重每两天在早晨称一次，三天内增加两公斤以上请打电话。",
		"胸口压迫感超过五分钟、突然气短，或者心跳很快并头晕，请立即呼叫救护车，不要自己开车去医院。等候时停止一切活动，坐下或半躺，身边要有人。",
		"两周后可以回办公室工作。重体力劳动、潜水和超过四小时的飞行，要等门诊复查之后再决定。给单位的证明附在后面。家人最好学会心肺复苏。",
		"七天内到家庭医生处复诊，六周后到心内科门诊复查心脏超声。"),
		"支架术后多久可以开车", "高血压患者饮食要注意什么"},
}

// letter returns the HTML of a letter to be printed.
func letter(title string, paragraphs ...string) string {
	html := "<title>" + title + "</title><style>body { font: 11pt/1.6 serif; margin: 2em } p { margin: 0.9em 0 }</style><h1>" + title + "</h1>"
	for _, p := range paragraphs {
		html += "<p>" + p + "</p>"
	}
	return html
}

// TestReadmePictures makes the pictures in the README, if there is a folder for pictures.
func TestReadmePictures(t *testing.T) {
	t.Parallel()
	if os.Getenv("VADEMECUM_SHOTS") == "" {
		return
	}
	for language, l := range letters {
		n := newNotes(t, nil)
		if err := os.CopyFS(n.dir, os.DirFS(samples)); err != nil {
			t.Fatal(err)
		}
		n.write(l.file, printed(t, l.html))
		at := serve(t, n.dir)
		as := look{language: languages["en"]}
		if language != "" {
			as.language = languages["zh"]
		}
		b := open(t, as)
		b.find(at, l.question, ".pdf")
		b.do(clickLink(".pdf"))
		b.until(`location.pathname == '/doc' && Array.from(document.images).some(i => i.complete && i.naturalWidth > 500)`)
		b.do(chromedp.Evaluate[chromedp.Void]("scrollTo(0, 0)"))
		b.saveWindow("document" + language + ".png")
		b.find(at, l.ask, ".")
		b.saveWindow("search" + language + ".png")
	}
}
