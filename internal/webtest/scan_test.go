package webtest

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// photographed returns a picture of a text, PNG or JPEG, as a browser shows it.
func photographed(t *testing.T, format cdp.CaptureScreenshotFormat, width, height int64, body string) string {
	t.Helper()
	b := open(t, look{})
	b.visit("about:blank")
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 2})
	b.do(chromedp.Evaluate[chromedp.Void]("document.write(" + fmt.Sprintf("%q", "<style>body { font: 17px/1.5 sans-serif; margin: 60px } b { color: #0000c0; font-weight: normal }</style>"+body) + ")"))
	return string(call(b, cdp.CaptureScreenshot, cdp.CaptureScreenshotParams{Format: format}).Data)
}

// report returns a text of some lines, with a blue word in the middle.
func report(before, word, after string) string {
	var lines strings.Builder
	for i := range 22 {
		middle := "heart"
		if i == 11 {
			middle = "<b>" + word + "</b>"
		}
		fmt.Fprintf(&lines, "<div>%d. %s %s %s</div>", i+1, before, middle, after)
	}
	return lines.String()
}

// letterInChinese is a text in which characters of adjacent lines differ. Tesseract cannot detect
// the orientation of such a page.
const letterInChinese = `<p>亲爱的外婆：上个月我们搬到了山脚下的小村庄，屋后有一片竹林，门前是清澈的溪水。清晨常常听见鸟叫，傍晚可以看见远处的炊烟。</p>
<p>邻居王大爷养了十几箱蜜蜂，昨天送来一罐蜂蜜，味道香甜，弟弟用它泡茶喝。我打算把剩下的带回城里，给您和舅舅尝一尝。</p>
<p>学校离家不远，走路只要二十分钟。老师教我们认识植物，还带大家去河边观察<b>青蛙</b>怎样从蝌蚪长大。同学们都很友好，周末一起骑车、放风筝。</p>
<p>等到秋天柿子熟了，请您一定来住几天。爸爸说他会开车去火车站接您，妈妈已经把朝南的房间收拾好了。祝您身体健康！</p>`

// heldUpright is a JPEG whose orientation tag says that its first row is on the right (CIPA
// DC-008).
func heldUpright(photo string) string {
	const exif = "Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
	return photo[:2] + "\xFF\xE1\x00" + string(rune(len(exif)+2)) + exif + photo[2:]
}

// TestMarkedScan checks that recognised words are marked at their place on the picture of the page,
// whatever its layout and orientation.
func TestMarkedScan(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("there is no tesseract")
	}
	const png, jpeg = cdp.CaptureScreenshotFormatPng, cdp.CaptureScreenshotFormatJpeg
	letter := photographed(t, png, 800, 1000, report("At the harbour the captain saw a", "walrus", "and wrote that into the book."))
	n := newNotes(t, map[string]string{
		"letter.png": photographed(t, png, 800, 1000, report("The patient tells of the", "axolotl", "and of the pressure of the blood, at length.")),
		"askew.png":  photographed(t, png, 800, 1000, "<div style='transform: rotate(5deg); margin-top: 40px'>"+report("In the garden lives a", "capybara", "which eats grass and hay in the evening.")+"</div>"),
		"held.jpg": heldUpright(photographed(t, jpeg, 1000, 1000, "<div style='position: absolute; left: 60px; top: 940px; width: 900px; transform-origin: 0 0; transform: rotate(-90deg)'>"+
			report("On the ship there was a", "wombat", "that slept below the sails all day.")+"</div>")),
		"信.png":    photographed(t, png, 800, 1000, letterInChinese),
		"scan.pdf": printed(t, "<style>@page { margin: 0 } body { margin: 0 } img { width: 100% }</style><img src='data:image/png;base64,"+base64.StdEncoding.EncodeToString([]byte(letter))+"'>"),
	})
	recognise := exec.Command(program, "index", n.dir)
	recognise.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "XDG_CONFIG_HOME="+cache)
	if said, err := recognise.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	at := serve(t, n.dir)
	for file, word := range map[string]string{"letter.png": "axolotl", "askew.png": "capybara", "held.jpg": "wombat", "scan.pdf": "walrus", "信.png": "青蛙"} {
		t.Run(file, func(t *testing.T) {
			b := open(t, look{noScript: true})
			b.find(at, word, file)
			b.do(chromedp.Click(chromedp.CSS(`a[href^="/doc?at="][href*="path=` + url.QueryEscape(file) + `"]`)))
			b.until("location.pathname == '/doc'")
			const image = `document.querySelector('img[src*="/picture?page=1"]')`
			b.until(image + " && " + image + ".complete && " + image + ".naturalWidth > 500")
			b.save("scan-" + file + ".png")
			d := markOf(b, eval[string](b, image+".src"), at+"/picture?"+url.Values{"page": {"1"}, "ref": {file}}.Encode())
			// tesseract locates Chinese characters to about a third of their width
			if d.Word.Width < 20 || !d.Word.isIn(d.Marked, d.Word.Height/3) || !d.Marked.isIn(d.Word, d.Word.Height/2) {
				t.Errorf("the word is at %+v, and marked at %+v", d.Word, d.Marked)
			}
		})
	}
}

// box is a rectangle in a picture.
type box struct{ Left, Top, Width, Height float64 }

// isIn reports whether the box is inside another one with a margin around it.
func (b box) isIn(o box, room float64) bool {
	return b.Left >= o.Left-room && b.Top >= o.Top-room && b.Left+b.Width <= o.Left+o.Width+room && b.Top+b.Height <= o.Top+o.Height+room
}

// wordMark is where the blue word is on a picture without marks, and where words are marked on
// another.
type wordMark struct{ Word, Marked box }

// markOf finds the blue word and the marks in two pictures, in the browser.
func markOf(b *tab, withMarks, without string) wordMark {
	b.t.Helper()
	const look = `(async () => {
		const [a, b] = await Promise.all([%q, %q].map(async (src) => {
			const p = await createImageBitmap(await (await fetch(src)).blob())
			const c = new OffscreenCanvas(p.width, p.height).getContext('2d')
			c.drawImage(p, 0, 0)
			return c.getImageData(0, 0, p.width, p.height)
		}))
		const where = (is) => {
			let left = a.width, top = a.height, right = 0, bottom = 0
			for (let i = 0; i < a.data.length; i += 4) {
				if (!is(i)) continue
				const x = i / 4 %% a.width, y = Math.floor(i / 4 / a.width)
				left = Math.min(left, x), top = Math.min(top, y), right = Math.max(right, x + 1), bottom = Math.max(bottom, y + 1)
			}
			return {Left: left, Top: top, Width: right - left, Height: bottom - top}
		}
		return {
			Word: where(i => b.data[i+2] - b.data[i] > 90),
			Marked: where(i => b.data[i+2] > 240 && a.data[i] > 240 && a.data[i+1] < 200 && a.data[i+2] < 130),
		}
	})()`
	return get(b, chromedp.Evaluate[wordMark](fmt.Sprintf(look, withMarks, without), chromedp.EvalAwaitPromise))
}
