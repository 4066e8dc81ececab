// The page in a chat. It shows the view that stands in the _meta of a result, and asks the tools of its
// server for more, through the host. Whatever a document says becomes text here: elements are made by
// name, and of rendered texts only the names and attributes below are taken over.
(() => {
  "use strict";
  const texts = "TEXTS"; // those below by language, put in by package mcpapp
  const viewKey = "vademecum/view", host = window.parent;
  let language = "en", shown = null, known = {}, question = "";

  // Messages, JSON-RPC as the extension says.
  const waiting = new Map();
  let last = 0;
  const post = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*"); // the host may be of any origin
  const request = (method, params) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    post({ id: last, method, params });
  });
  window.addEventListener("message", ({ source, data }) => {
    if (source !== host || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) asked?.reject(new Error(data.error.message));
      else asked?.resolve(data.result);
    } else if (data.id !== undefined) {
      const isKnown = data.method === "ping" || data.method === "ui/resource-teardown";
      post(isKnown ? { id: data.id, result: {} } : { id: data.id, error: { code: -32601, message: "no such method" } });
    } else if (data.method === "ui/notifications/tool-result") {
      show(data.params);
    } else if (data.method === "ui/notifications/tool-cancelled") {
      if (!shown) draw([note(t("The call was cancelled."))]);
    } else if (data.method === "ui/notifications/host-context-changed") {
      wear(data.params);
    }
  });

  // Words. What the server says comes in all languages, what this page says is looked up.
  const t = (english, ...values) => (texts[language]?.[english] || english).replace(/%[sd]/g, () => values.shift());
  const say = (words) => (!words || typeof words === "string" ? words || "" : words[language] || words.en);

  // Elements.
  const h = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) if (value !== null && value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : value);
    element.append(...children.flat(Infinity).filter((c) => c || c === 0));
    return element;
  };
  const note = (text) => h("p", { class: "note" }, text);
  const problem = (text) => h("p", { class: "problem", role: "alert" }, text);
  const button = (label, act) => {
    const b = h("button", { type: "button", class: "plain" }, label);
    b.addEventListener("click", () => act(b));
    return b;
  };
  const elements = new Set("p div span mark b strong i em u s del ins sub sup kbd small code pre br hr blockquote ul ol li dl dt dd table thead tbody tr th td h2 h3 h4 h5 h6 details summary".split(" "));
  const attributes = ["class", "tabindex", "start", "role", "aria-label", "open"];
  const policy = window.trustedTypes?.createPolicy("vademecum", { createHTML: (text) => text }); // for the parser, which runs and loads nothing
  const takeOver = (from, to) => {
    for (const n of from.childNodes) {
      if (n.nodeType === Node.TEXT_NODE) to.append(n.data);
      if (n.nodeType !== Node.ELEMENT_NODE) continue;
      if (!elements.has(n.localName)) {
        takeOver(n, to);
        continue;
      }
      const made = h(n.localName, Object.fromEntries(attributes.filter((a) => n.hasAttribute(a)).map((a) => [a, n.getAttribute(a)])));
      takeOver(n, made);
      to.append(made);
    }
    return to;
  };
  const rendered = (html) => takeOver(new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html").body, h("div", { class: "shown meant" }));
  const runs = (all) => all.map((r) => (typeof r === "string" ? r : "hit" in r ? h("mark", null, r.hit) : h("mark", { class: "beside" }, r.beside)));

  // What can be done with a place. Each opens below what it belongs to, and closes again.
  let panels = 0;
  const newPanel = () => h("div", { class: "panel", tabindex: -1, hidden: true });
  const opener = (label, panel, fill) => {
    panel.id ||= "panel" + ++panels;
    const b = button(label, () => {
      const isOpen = panel.hidden || panel.by !== b;
      panel.by?.setAttribute("aria-expanded", "false");
      panel.by = b;
      panel.hidden = !isOpen;
      b.setAttribute("aria-expanded", String(isOpen));
      if (isOpen) fill(panel);
    });
    b.setAttribute("aria-expanded", "false");
    b.setAttribute("aria-controls", panel.id);
    return b;
  };
  const ask = async (panel, name, asked, fill) => {
    panel.setAttribute("aria-busy", "true");
    if (!panel.firstChild) panel.append(h("p", { class: "quiet", role: "status" }, t("One moment…")));
    try {
      const result = await request("tools/call", { name, arguments: asked });
      if (result.isError) throw new Error(textOf(result));
      panel.replaceChildren(...fill(result));
    } catch (error) {
      panel.replaceChildren(problem(t("This cannot be shown: %s", error.message)));
    }
    panel.removeAttribute("aria-busy");
  };
  const around = (source, panel, reach = 1) => ask(panel, "show_context", { uri: source.uri, question, reach }, (result) => {
    const view = result._meta?.[viewKey];
    if (!view?.text?.html) return [h("pre", null, textOf(result))];
    const more = view.text.more && button(t("more of the text around it"), async () => {
      await around(source, panel, reach + 1);
      (panel.querySelector(".deeds button") || panel).focus();
    });
    return [rendered(view.text.html), h("p", { class: "deeds" }, more)];
  });
  const look = (source, panel, page) => {
    const asked = { uri: source.uri, question };
    if (page) asked.page = page;
    return ask(panel, "show_page_image", asked, (result) => picture(result, source, panel));
  };
  const picture = (result, source, panel) => {
    const view = result._meta?.[viewKey]?.picture || {}, image = (result.content || []).find((c) => c.type === "image");
    if (!image || !/^image\/(jpeg|png)$/.test(image.mimeType)) return [h("pre", null, textOf(result))];
    const name = [view.path || source.path, say(view.place)].filter(Boolean).join(t(", "));
    const turn = (label, by) => button(label, async () => {
      await look(source, panel, view.page + by);
      ([...panel.querySelectorAll("button")].find((b) => b.textContent === label) || panel.querySelector("button"))?.focus();
    });
    return [
      h("figure", { class: "picture" }, h("img", { src: `data:${image.mimeType};base64,${image.data}`, alt: name }), h("figcaption", { class: "quiet" }, name)),
      view.page && h("p", { class: "deeds" }, view.page > 1 && turn(t("Previous page"), -1), !(view.page >= view.last) && turn(t("Next page"), 1)),
    ].filter(Boolean);
  };
  const cite = (source) => [source.title, source.path, say(source.place)].filter((s, i, all) => s && all.indexOf(s) === i).join(t(", "));
  const copy = (text, source) => button(t("Copy with its citation"), async (b) => {
    const whole = text().trim() + "\n— " + cite(source);
    const mayWrite = navigator.clipboard && (document.featurePolicy?.allowsFeature("clipboard-write") ?? true);
    const isCopied = mayWrite && await navigator.clipboard.writeText(whole).then(() => true, () => false) || copyByHand(whole, b);
    b.textContent = t(isCopied ? "Copied" : "Copy it from here:");
    if (isCopied) setTimeout(() => { b.textContent = t("Copy with its citation"); }, 1500);
  });
  // copyByHand is for hosts that leave the clipboard to the user: what cannot be copied stands there selected.
  const copyByHand = (text, beside) => {
    const field = h("textarea", { class: "by-hand", rows: 4, readonly: true, "aria-label": t("Copy with its citation") });
    field.value = text;
    const place = beside.closest(".deeds");
    place.parentNode.querySelector(":scope > .by-hand")?.remove();
    place.after(field);
    field.select();
    const isCopied = document.execCommand("copy");
    if (isCopied) {
      field.remove();
      beside.focus();
    }
    return isCopied;
  };
  const deeds = (source, panel, text, extra) => h("p", { class: "deeds" },
    extra, source.uri && opener(t("text around it"), panel, (p) => { p.replaceChildren(); around(source, p); }),
    source.pages && opener(t("the page as an image"), panel, (p) => { p.replaceChildren(); look(source, p); }),
    copy(text, source));

  // Views.
  const count = (view, what) => [what && h("p", { class: "count" }, h("span", { role: "status" }, what)), ...(view.notes || []).map((n) => note(say(n)))];
  const heading = (source, number) => h("h2", null, number && h("span", { class: "n" }, number + ". "), source.title);
  const where = (source, ...more) => h("p", { class: "cite" }, source.path !== source.title && h("span", { class: "path" }, source.path), source.place && h("span", { class: "place" }, say(source.place)), more);
  const textOfHTML = (html) => {
    const box = rendered(html);
    box.classList.add("unseen");
    document.body.append(box);
    const text = box.innerText;
    box.remove();
    return text;
  };
  const item = (...parts) => h("li", { class: "passage" }, h("article", null, parts));
  const list = (items, more) => [h("ol", { class: "passages" }, items), more && note(t("and %d more", more))];

  const views = {
    passages: (view) => [
      ...count(view, say(view.head)),
      ...list((view.passages || []).map((p, i) => {
        const panel = newPanel();
        const excerpt = (p.excerpt || []).map((r) => (typeof r === "string" ? r : r.hit || r.beside)).join("");
        const whole = p.cut && p.html && opener(t("whole passage"), panel, () => panel.replaceChildren(rendered(p.html)));
        return item(heading(p, i + 1), where(p, p.date && h("time", null, p.date), (p.headings || []).map((a) => h("span", { class: "above" }, a))),
          h("p", { class: "text excerpt" }, p.before && "… ", runs(p.excerpt || []), p.further && " …"),
          (p.notes || []).map((n) => h("p", { class: "same" }, say(n))),
          deeds(p, panel, () => (p.html ? textOfHTML(p.html) : excerpt), whole), panel);
      }), view.more),
    ],
    places: (view) => [
      ...count(view, say(view.head)),
      ...list((view.documents || []).map((d) => item(heading(d), where(d, d.places > 1 && h("span", null, t("%d places", d.places))),
        h("ul", { class: "places" }, (d.lines || []).map((l) => {
          const panel = newPanel(), source = { ...d, place: l.place, uri: l.uri }, text = (l.runs || []).map((r) => r.hit || r).join("");
          const open = (p) => {
            const inner = newPanel();
            const body = h("div", null);
            p.replaceChildren(body, h("p", { class: "deeds" }, d.pages && opener(t("the page as an image"), inner, () => { inner.replaceChildren(); look(source, inner); }), copy(() => text, source)), inner);
            around(source, body);
          };
          return h("li", null, opener(say(l.place), panel, open), " ", h("span", { class: "text" }, runs(l.runs || [])), l.more && h("span", { class: "quiet" }, " " + t("and %d more", l.more)), l.struck && h("span", { class: "quiet" }, " (" + say(l.struck) + ")"), panel);
        })), d.more && h("p", { class: "same" }, t("and %d more", d.more)))), view.more),
    ],
    quotes: (view) => [
      ...count(view, ""),
      ...list((view.quotes || []).map((q) => h("li", { class: "passage verdict-" + (q.verdict === "exact" ? "exact" : "doubtful") }, h("article", null,
        h("h2", null, h("span", { role: "status" }, say(q.label))), h("p", { class: "text quoted" }, q.text), say(q.note) && note(say(q.note)),
        (q.parts || []).map((p) => {
          const panel = newPanel();
          const written = (p.runs || []).map((r) => r.written || "").join("") || p.marked;
          return [
            p.leftOut && h("p", { class: "quiet" }, t("Left out: %s", p.leftOut)),
            p.runs && h("p", { class: "text wording" }, p.runs.map((r) => (r.differs ? [r.quoted && h("del", null, r.quoted), r.written && h("ins", null, r.written)] : r.written))),
            p.marked && [h("p", { class: "text" }, p.marked), h("p", { class: "quiet" }, p.valid ? t("Still valid: %s", p.valid) : t("No part of it is still valid."))],
            p.path && where({ ...p, title: "" }), p.path && deeds(p, panel, () => written || q.text), panel,
          ];
        }), q.also && h("p", { class: "same" }, t("also in: %s", q.also.join(t("; "))))))), view.more),
    ],
    text: (view) => {
      const source = view.text, panel = newPanel();
      return [
        ...count(view, ""), heading(source), where(source), source.html ? rendered(source.html) : h("pre", null, textOf(shown)),
        h("p", { class: "deeds" }, source.pages && opener(t("the page as an image"), panel, (p) => { p.replaceChildren(); look(source, p); }), copy(() => (source.html ? textOfHTML(source.html) : textOf(shown)), source)), panel,
      ];
    },
    picture: (view) => {
      const source = view.picture, panel = h("div", { tabindex: -1 });
      panel.append(...picture(shown, source, panel));
      return [heading(source), panel];
    },
  };

  const textOf = (result) => (result?.content || []).map((c) => (c.type === "text" ? c.text : c.type === "resource" ? c.resource?.text || "" : "")).filter(Boolean).join("\n");
  const draw = (content) => document.getElementById("results").replaceChildren(h("h1", { class: "unseen" }, t("Results")), ...content.flat(Infinity).filter(Boolean));
  const show = (result) => {
    shown = result;
    const view = result._meta?.[viewKey];
    question = view?.question || "";
    if (result.isError) draw([problem(textOf(result))]);
    else if (view && Object.hasOwn(views, view.kind)) draw(views[view.kind](view));
    else draw([h("pre", { tabindex: 0 }, textOf(result)), ...((result.content || []).some((c) => c.type === "image") ? picture(result, {}, h("div", null)) : [])]); // a host that drops what is not for models
  };

  // How the host looks: its language, light or dark, its fonts. Size is told back.
  const wear = (context) => {
    known = { ...known, ...context };
    const root = document.documentElement, before = language;
    language = Object.hasOwn(texts, (known.locale || "").split("-")[0].toLowerCase()) ? known.locale.split("-")[0].toLowerCase() : "en";
    root.lang = language === "zh" ? "zh-CN" : language;
    if (known.theme === "dark" || known.theme === "light") {
      root.style.colorScheme = known.theme;
      for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSMediaRule)) continue;
        rule.scheme ??= rule.media.mediaText.includes("prefers-color-scheme: dark");
        if (rule.scheme) rule.media.mediaText = known.theme === "dark" ? "all" : "not all";
      }
    }
    for (const [ours, theirs] of [["--text", "--font-sans"], ["--code", "--font-mono"]]) {
      const family = known.styles?.variables?.[theirs];
      if (typeof family === "string" && !/[(;]/.test(family)) root.style.setProperty(ours, family);
    }
    if (language !== before && shown) show(shown);
  };
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (known.isReady && height !== told) post({ method: "ui/notifications/size-changed", params: { height: (told = height) } });
  }).observe(document.documentElement);

  request("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "vademecum", version: "1" }, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] } }).then((answer) => {
    known.isReady = true;
    wear(answer.hostContext || {});
    if (!shown) draw([h("p", { class: "quiet", role: "status" }, t("Waiting for the result."))]);
    post({ method: "ui/notifications/initialized", params: {} });
  }, () => {});
})();
