"use strict";
(() => {
  const root = new URL("..", document.currentScript.src).pathname; // a proxy may have a path before it
  const search = document.getElementById("search");
  const results = document.getElementById("results");
  const input = document.getElementById("q");

  // That the server does not answer is said until it does.
  const away = document.getElementById("away");
  const isAway = (yes) => {
    if (!away || away.hidden === !yes) return;
    away.hidden = !yes;
    away.textContent = yes ? away.dataset.said : "";
  };
  const patience = 8000, again = 3000; // milliseconds

  // Parts of a page are in its language, whatever was chosen elsewhere since.
  const inLanguage = { "X-Page-Language": document.documentElement.lang };

  // Results follow what is typed, but not while characters are being composed.
  let asking = null, waiting = 0, settling = 0, asked = "", typed = 0, shown = location.pathname + location.search;
  const address = () => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(search)) query.append(name, value);
    return query;
  };
  // What is typed in one go is one question to come back to.
  const oneGo = 3000; // milliseconds
  const keep = (question, to) => {
    const isNext = Date.now() - typed > oneGo;
    if (to !== shown && isNext) remember();
    if (to !== shown) history[isNext ? "pushState" : "replaceState"](null, "", to);
    typed = Date.now();
    shown = to;
    document.title = question ? [...question].slice(0, 80).join("") + " · Vademecum" : "Vademecum";
    if (!document.querySelector("header .box")) search.classList.toggle("start", !question);
  };
  window.addEventListener("popstate", () => {
    if (location.pathname + location.search !== shown) location.reload();
  });
  const ask = async (isFinal) => {
    const query = address();
    if (query.toString() === asked) return;
    clearTimeout(settling);
    asked = query.toString();
    if (asking) asking.abort();
    asking = new AbortController();
    results.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => isAway(true), patience);
    try {
      const part = new URLSearchParams(query);
      part.set("part", "results");
      if (isFinal !== true) part.set("typing", "1");
      const answer = await fetch(root + "search?" + part, { signal: asking.signal, headers: inLanguage });
      if (answer.status === 401) return location.reload();
      const said = await answer.text();
      isAway(false);
      if ((answer.headers.get("Content-Type") || "").startsWith("text/html")) results.innerHTML = said;
      else results.textContent = said;
      askAgain();
      settling = setTimeout(settle, 1500);
      keep(query.get("q"), query.toString() ? root + "search?" + query : root);
      fillFront();
      offerCopies();
    } catch (error) {
      if (error.name === "AbortError") return;
      asked = "";
      results.replaceChildren(); // they answer another question
      isAway(true);
      clearTimeout(waiting);
      waiting = setTimeout(ask, again);
    } finally {
      clearTimeout(slow);
    }
    results.setAttribute("aria-busy", "false");
    follow();
  };
  // What a half word does not find is said when nothing more is typed.
  const isInUse = () => results.querySelector("details[open]") || results.contains(document.activeElement);
  const settle = () => {
    if (!results.querySelector("[data-held]") || isInUse()) return;
    asked = "";
    ask(true);
  };
  // What could not be answered for now is asked until it is.
  const askAgain = () => {
    if (!results.querySelector("[data-again]")) return;
    asked = "";
    clearTimeout(waiting);
    waiting = setTimeout(ask, again);
  };
  const soon = (event) => {
    if (event.isComposing) return clearTimeout(settling);
    clearTimeout(settling);
    clearTimeout(waiting);
    waiting = setTimeout(ask, 150);
  };
  if (search) search.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!value) event.formData.delete(name);
  });
  if (search && results) {
    search.addEventListener("submit", (event) => {
      if (Date.now() - typed > oneGo) return;
      event.preventDefault(); // half of the question is no place to come back to
      current = null;
      location.replace(root + "search?" + address());
    });
    asked = address().toString();
    askAgain();
    const ours = (event) => event.target.form === search && soon(event);
    document.addEventListener("input", ours);
    document.addEventListener("compositionend", (event) => event.target.form === search && soon({}));
  }

  // What somebody has asked and read is kept by the browser alone, for that reader.
  const store = "vademecum " + root + " " + document.body.dataset.reader;
  const kept = () => {
    try { return JSON.parse(localStorage.getItem(store)) || {}; } catch { return {}; }
  };
  const change = (how) => {
    const all = kept();
    how(all);
    try { localStorage.setItem(store, JSON.stringify(all)); } catch { /* it keeps nothing */ }
  };
  const without = (list, to) => (list || []).filter((e) => e.to !== to);
  const note = (name, entry, most) => change((all) => { all[name] = [entry, ...without(all[name], entry.to)].slice(0, most); });
  // The name of a question is that of its address: the field may be ahead of both.
  const questionAt = (to) => (new URL(to, location.href).searchParams.get("q") || "").trim().slice(0, 200);
  const asks = () => results && questionAt(location.href) && results.querySelector(".passage") && { name: questionAt(location.href), to: location.pathname + location.search };
  let current = null; // what has been answered
  const remember = () => {
    const entry = current;
    if (!entry) return;
    change((all) => { all.asked = (all.asked || []).filter((e) => e.name !== entry.name); }); // narrowed or sorted otherwise, it is the same question
    note("asked", entry, 12);
  };
  const visit = 30 * 60000; // milliseconds without a page, after which another visit begins
  change((all) => {
    const now = Date.now();
    all.before = !all.seen ? now : now - all.seen > visit ? all.seen : all.before;
    all.seen = now;
    all.asked = (all.asked || []).filter((e) => e.name === questionAt(e.to)); // an earlier version mixed them up
  });
  if (document.body.className === "page-document" && document.querySelector("h1")) {
    const path = new URLSearchParams(location.search).get("path");
    if (path) note("read", { name: document.querySelector("h1").textContent, to: root + "doc?" + new URLSearchParams({ path }) }, 8);
  }
  const item = (section, name, entry) => {
    const line = document.createElement("li"), link = document.createElement("a"), drop = document.createElement("button");
    link.href = entry.to;
    link.textContent = entry.name;
    drop.type = "button";
    drop.className = "plain";
    drop.textContent = "×";
    drop.setAttribute("aria-label", section.dataset.drop + ": " + entry.name);
    drop.addEventListener("click", () => {
      change((all) => { all[name] = without(all[name], entry.to); });
      fillFront();
    });
    line.classList.toggle("pinned", name === "pinned");
    line.append(link, " ", drop);
    return line;
  };
  const fillFront = () => {
    current = asks();
    const all = kept();
    for (const section of document.querySelectorAll("[data-kept]")) {
      const names = section.dataset.kept === "asked" ? ["pinned", "asked"] : ["read"];
      const lines = names.flatMap((name) => (all[name] || []).filter((e) => name !== "asked" || !(all.pinned || []).some((p) => p.to === e.to)).map((e) => item(section, name, e)));
      section.querySelector("ul").replaceChildren(...lines);
      section.hidden = !lines.length;
    }
    const fresh = document.getElementById("fresh");
    if (fresh) {
      const since = [...document.querySelectorAll(".latest li")].filter((l) => Date.parse(l.querySelector("time").dateTime) > all.before);
      for (const line of since) line.classList.add("new");
      fresh.hidden = !since.length;
      fresh.textContent = fresh.dataset.said.replace("%s", since.length);
    }
    const pin = document.getElementById("pin"), entry = current;
    if (!pin || !entry) return;
    const isPinned = () => (kept().pinned || []).some((e) => e.to === entry.to);
    const say = () => { pin.textContent = isPinned() ? pin.dataset.unpin : pin.dataset.pin; };
    pin.hidden = false;
    pin.onclick = () => {
      change((all) => { all.pinned = isPinned() ? without(all.pinned, entry.to) : [entry, ...(all.pinned || [])]; });
      say();
    };
    say();
  };
  if (results) fillFront();

  // What takes longer than the page comes after it.
  const later = document.querySelector("[data-later]");
  if (later) fetch(later.dataset.later, { headers: inLanguage }).then(async (answer) => {
    if (!answer.ok) return;
    later.outerHTML = await answer.text();
    fillFront();
  }, () => {}); // the stream says that the server is away

  // The way back from a document leads to the results as they were narrowed and sorted, and
  // where they were read, with the focus on the one that was opened.
  const back = document.querySelector("a.back");
  try {
    const last = sessionStorage.getItem("results");
    const question = (address) => new URL(address, location.href).searchParams.get("q");
    if (back && last && question(back.href) === question(last)) back.href = last;
    if (results) {
      addEventListener("pagehide", () => {
        sessionStorage.setItem("results", location.pathname + location.search);
        sessionStorage.setItem("read", scrollY);
        sessionStorage.setItem("opened", results.contains(document.activeElement) ? document.activeElement.href : "");
      });
      const isFollowed = performance.getEntriesByType("navigation")[0].type === "navigate"; // the browser does the rest by itself
      if (last === location.pathname + location.search && (!isFollowed || document.referrer.startsWith(location.origin + root + "doc?"))) {
        const opened = sessionStorage.getItem("opened"), link = opened && [...results.querySelectorAll("a")].find((a) => a.href === opened), fold = link && link.closest("details");
        if (fold) fold.open = true;
        if (link) link.focus({ preventScroll: true });
        if (isFollowed) scrollTo(0, sessionStorage.getItem("read"));
      }
    }
  } catch { /* the browser keeps nothing */ }

  // From the question down through the passages and back by the arrows; / leads to it.
  const stops = () => [...document.querySelectorAll(".passage h2 a, .others[open] .place")];
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = document.activeElement, typing = at && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName);
    if (event.key === "/" && input && !typing) {
      event.preventDefault();
      input.focus();
      input.select();
      return;
    }
    if (event.key === "?" && !typing && document.querySelector("header nav a")) return location.assign(root + "help/page");
    if (event.key === "Escape" && typing && at.type === "search") {
      event.preventDefault(); // browsers empty the field
      return at.blur();
    }
    if (event.key === "Escape" && back && !typing) return back.click();
    const links = stops(), i = links.indexOf(at);
    if (!links.length || (typing && at !== input)) return;
    if (event.key === "ArrowDown" && results && at === document.body) {
      const next = links.find((l) => l.getBoundingClientRect().top >= 0);
      if (!next) return;
      event.preventDefault();
      next.focus();
    } else if (event.key === "ArrowDown" && (i >= 0 || at === input)) {
      event.preventDefault();
      (links[i + 1] || links[i]).focus();
    } else if (event.key === "ArrowUp" && i >= 0) {
      event.preventDefault();
      (links[i - 1] || input).focus();
    } else if (event.key === "Escape" && i >= 0) {
      input.focus();
    }
  });

  // The pages of a document are leafed through by the arrows; one that is wider than the window
  // moves to its edge first.
  if (document.querySelector("article.leaf")) document.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (!to || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const paper = document.querySelector(".paper"), link = document.querySelector("article.leaf a[rel=" + to + "]");
    const room = !paper ? 0 : to === "prev" ? paper.scrollLeft : paper.scrollWidth - paper.clientWidth - paper.scrollLeft;
    if (room > 1) {
      event.preventDefault();
      paper.scrollBy({ left: (to === "prev" ? -1 : 1) * Math.min(room, paper.clientWidth * 0.8) });
    } else if (link) link.click();
  });

  // A list follows the name that is typed, and what else is chosen beside it.
  const names = document.querySelector("form[data-lists]");
  if (names) {
    const list = document.getElementById(names.dataset.lists);
    let pause = 0, asking = null, before = new URLSearchParams(new FormData(names)).toString();
    const show = async () => {
      const query = new URLSearchParams(new FormData(names));
      if (query.toString() === before) return;
      before = query.toString();
      if (asking) asking.abort();
      asking = new AbortController();
      list.setAttribute("aria-busy", "true");
      try {
        const address = new URL(names.action).pathname;
        const answer = await fetch(address + "?part=list&" + query, { signal: asking.signal, headers: inLanguage });
        if (answer.status === 401) return location.reload();
        if (!answer.ok) throw new Error(answer.status);
        list.innerHTML = await answer.text();
        history.replaceState(null, "", address + "?" + query);
        isAway(false);
      } catch (error) {
        if (error.name === "AbortError") return;
        before = "";
        isAway(true);
      }
      list.setAttribute("aria-busy", "false");
    };
    const later = (event) => {
      if (event.isComposing) return;
      clearTimeout(pause);
      pause = setTimeout(show, 150);
    };
    names.addEventListener("input", later);
    names.addEventListener("compositionend", () => later({}));
  }

  // Where a page cannot be shown as it looks, it is said why.
  for (const picture of document.querySelectorAll("figure.picture img")) {
    const explain = async () => {
      const answer = await fetch(picture.src, { headers: inLanguage });
      if (answer.ok) return;
      const note = document.createElement("p");
      note.className = "note";
      note.id = picture.closest("figure").id;
      note.textContent = await answer.text();
      picture.closest("figure").replaceWith(note);
    };
    if (picture.complete && !picture.naturalWidth) explain();
    else picture.addEventListener("error", explain);
  }

  // What can be copied has a button for it.
  document.documentElement.classList.add("has-script");
  const said = document.documentElement.lang.startsWith("zh") ? ["复制", "已复制", "无法复制", "已复制全文", "已复制所选文字"] : ["Copy", "Copied", "Could not be copied", "Whole text copied", "Selection copied"];
  const copy = async (by, text, how = 1) => {
    const before = by.textContent;
    if (said.indexOf(before) > 0) return;
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false); // a browser may refuse
    by.textContent = said[isCopied ? how : 2];
    setTimeout(() => { by.textContent = before; }, 1500);
  };
  const offerCopies = () => {
    if (!navigator.clipboard) return;
    for (const block of document.querySelectorAll("pre.copy:not(:has(button))")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = said[0];
      block.append(button);
    }
  };
  offerCopies();
  // cited is the passage in a document, "" without one.
  const cited = () => {
    const blocks = [...document.querySelectorAll(".shown .within")].filter((e) => !e.parentElement.closest(".within"));
    if (blocks.length > 1) return blocks.map((e) => e.innerText.trim()).join("\n");
    return [...document.querySelectorAll(".shown .in")].map((e) => e.textContent).join("") || blocks.map((e) => e.innerText).join("");
  };
  document.addEventListener("click", (event) => {
    const by = event.target.closest("a[data-copy], pre.copy button, button[data-citation]");
    if (!by || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (by.href) return copy(by, by.href);
    if (!by.dataset.citation) return copy(by, by.closest("pre").querySelector("code").textContent);
    const found = by.closest(".found"), whole = found?.querySelector(":scope > .further > .whole"), wasOpen = whole?.open;
    if (whole) whole.open = true; // what is folded has no lines
    const selected = found ? "" : String(getSelection()).trim(), passage = found ? (whole?.querySelector(".shown") || found.querySelector(".excerpt")).innerText : cited();
    const text = selected || passage || document.querySelector(".shown").innerText;
    if (whole) whole.open = wasOpen;
    copy(by, text.trim() + "\n— " + by.dataset.citation, selected ? 4 : passage || by.textContent !== said[0] ? 1 : 3); // a button that says what it copies need not say it twice
  });

  // The bar of a document has its title while that is out of sight.
  const bar = document.querySelector(".bar");
  if (bar) {
    new IntersectionObserver(([title]) => bar.classList.toggle("stuck", !title.isIntersecting)).observe(document.querySelector("h1"));
    bar.addEventListener("click", (event) => {
      if (event.target.matches(".to-outline")) document.getElementById("outline").open = true;
    });
  }

  // A document that has changed is shown where it was being read: at the first piece in sight
  // that stands in it as those around it do.
  const pieces = () => [...document.querySelectorAll(".shown [id^=L]")].filter((e) => e.textContent.trim());
  const topOf = (e) => e.getBoundingClientRect().top;
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".bar .changed a[href*='/doc?']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const all = pieces(), edge = bar.getBoundingClientRect().bottom;
    const first = all.findIndex((e) => e.getBoundingClientRect().bottom > edge);
    const seen = all.slice(Math.max(first, 0), first + 30).map((e) => [e.textContent, topOf(e), e.id.slice(1)]);
    try {
      sessionStorage.setItem("place", JSON.stringify({ seen, y: scrollY, tables: [...document.querySelectorAll(".table")].map((t) => t.scrollTop) }));
    } catch { return; } // it leads to the passage
    event.preventDefault();
    location.assign(link.href.replace(/#.*/, ""));
  });
  const takePlace = () => {
    try {
      const place = sessionStorage.getItem("place");
      sessionStorage.removeItem("place");
      return place;
    } catch { return null; }
  };
  const place = bar && takePlace();
  if (place) {
    const { seen, y, tables } = JSON.parse(place), all = pieces();
    document.querySelectorAll(".table").forEach((t, i) => { t.scrollTop = tables[i]; });
    scrollTo(0, y);
    // Texts may recur: by how many lines most of them have moved is what counts.
    const moved = {}, lines = Object.create(null);
    for (const e of all) (lines[e.textContent] ||= []).push(+e.id.slice(1));
    for (const [text, , line] of seen) for (const l of lines[text] || []) moved[l - line] = (moved[l - line] || 0) + 1;
    const by = Object.keys(moved).sort((a, b) => moved[b] - moved[a] || Math.abs(a) - Math.abs(b))[0];
    const first = by && seen.find(([text, , line]) => lines[text]?.includes(+line + +by));
    if (first) scrollBy(0, topOf(document.getElementById("L" + (+first[2] + +by))) - first[1]);
  }

  // The places of what is found in a document are one page to come back to, and the focus stays
  // where it was: Enter leads to the next place, with Shift to the one before.
  const afterwards = (e) => requestAnimationFrame(() => setTimeout(() => e?.focus({ preventScroll: true }))); // the browser takes the focus to where an address leads
  const seeks = document.querySelector(".seeks");
  if (seeks) {
    const field = document.getElementById("find");
    const step = (to, at) => {
      try { sessionStorage.setItem("step", at + " " + to); } catch { /* it keeps nothing */ }
      location.replace(to);
    };
    seeks.addEventListener("submit", (event) => {
      event.preventDefault();
      const to = new URL(seeks.action);
      to.search = new URLSearchParams(new FormData(seeks));
      step(to.href, document.activeElement === field ? "input[type=search]" : "button");
    });
    seeks.addEventListener("click", (event) => {
      const link = event.target.closest(".hits a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      step(link.href, "[rel=" + link.rel + "]");
    });
    field.addEventListener("keydown", (event) => {
      const last = seeks.querySelector("[rel=prev]");
      if (event.key !== "Enter" || !event.shiftKey || event.isComposing || !last || field.value !== field.defaultValue) return;
      event.preventDefault();
      step(last.href, "input[type=search]");
    });
    try {
      const [at, to] = (sessionStorage.getItem("step") || "").split(" ");
      sessionStorage.removeItem("step");
      if (to === location.href) afterwards(seeks.querySelector(at));
    } catch { /* the browser keeps nothing */ }
  }

  // A judgement is kept without leaving the page.
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form.judging"), by = event.submitter;
    if (!form || !by) return;
    event.preventDefault();
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, by)), redirect: "manual" }).catch(() => null);
    if (!answer || answer.type !== "opaqueredirect") { // why, it is said on a page
      const sent = document.createElement("input");
      Object.assign(sent, { type: "hidden", name: by.name, value: by.value });
      form.append(sent);
      return form.submit();
    }
    for (const button of form.querySelectorAll("button")) {
      const isSaid = button === by && by.name !== "neither";
      button.setAttribute("aria-pressed", isSaid);
      button.name = isSaid ? "neither" : button.dataset.as;
    }
  });

  // The state follows the server, by one stream while the page is seen.
  let stream = null, due = 0, last = 0, lost = 0;
  const refresh = async () => {
    due = 0;
    last = Date.now();
    const place = document.querySelector("[data-live]");
    const answer = await fetch(place ? place.dataset.live : root + "library/state", { headers: inLanguage }).catch(() => null); // the stream says that
    if (!answer || !answer.ok) return;
    const state = await answer.text();
    if (place) place.innerHTML = state;
    if (isPartial() && state.includes("phase-ready")) complete();
  };
  // Results of what was indexed so far are completed when that is done, but not under
  // somebody's hands.
  const isPartial = () => results && results.querySelector("[data-so-far]");
  const complete = () => {
    if (isInUse()) return setTimeout(changed, again);
    asked = "";
    ask();
  };
  const changed = () => {
    if (!due) due = setTimeout(refresh, Math.max(0, last + 1000 - Date.now()));
  };
  const follow = () => {
    const wanted = document.visibilityState === "visible" && (document.querySelector("[data-live]") || isPartial());
    if (wanted && !stream) {
      stream = new EventSource(root + "events");
      stream.addEventListener("changed", changed);
      stream.addEventListener("error", () => { // it tries again by itself, unless it was refused
        if (stream && stream.readyState === EventSource.CONNECTING && !lost) lost = setTimeout(() => isAway(true), patience);
      });
      stream.addEventListener("open", () => {
        clearTimeout(lost);
        lost = 0;
        if (!away.hidden) changed();
        isAway(false);
      });
      if (last) changed();
    } else if (!wanted && stream) {
      stream.close();
      stream = null;
    }
  };
  last = Date.now();
  document.addEventListener("visibilitychange", follow);
  window.addEventListener("pagehide", remember);
  window.addEventListener("pagehide", () => { if (stream) { stream.close(); stream = null; } });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
    else follow();
  });
})();
