// The page of a room on phones. ES5, no library, plain http: nothing that needs a secure context.
// Answers stay on the phone until the server says by their numbers that they are on its disk.
(function () {
  "use strict";

  var FIRST_WAIT = 500, LONGEST_WAIT = 15000, POLL = 2000, JITTER = 1000, PATIENCE = 10000;
  var NUMBER = /^\s*[-+\u2212]?\s*\d[\d\s.,'/]*%?\s*$/;

  function at(id) { return document.getElementById(id); }

  var code = (/\/r\/([a-z]{4})\/?$/i.exec(location.pathname) || ["", ""])[1].toUpperCase();
  var folder = location.pathname.replace(/^(.*\/r\/).*$/i, "$1");
  var name = "biaslab-room-" + code;
  var told = null;       // what the server said last of the room
  var cards = [];        // what is asked, as far as it was shown to this phone
  var results = [];
  var failures = 0;      // in a row
  var timer = null, busy = false, again = false, keeps = true;
  var showing = "";      // what stands on the page, so that nothing is drawn twice
  var news = "";         // what has to be known besides
  var mine = load();

  // ---- what the phone remembers -------------------------------------------------------------

  function fresh() {
    var bytes = new Uint8Array(16), id = "", i;
    crypto.getRandomValues(bytes);
    for (i = 0; i < 16; i++) { id += (256 + bytes[i]).toString(16).slice(1); }
    return { person: id, room: "", joined: false, pending: {}, stored: {} };
  }

  function load() {
    try {
      var kept = JSON.parse(localStorage.getItem(name));
      if (kept && /^[0-9a-f]{32}$/.test(kept.person) && kept.pending && kept.stored) { return kept; }
    } catch (error) { keeps = false; }
    return fresh();
  }

  function keep() {
    try { localStorage.setItem(name, JSON.stringify(mine)); keeps = true; } catch (error) { keeps = false; }
    at("memory").hidden = keeps;
  }

  function size(map) { return Object.keys(map).length; }

  // ---- talking to the server ----------------------------------------------------------------

  function request(method, path, body, done) {
    var call = new XMLHttpRequest();
    call.open(method, folder + code + "/" + path);
    call.timeout = PATIENCE;
    if (body) { call.setRequestHeader("Content-Type", "application/json"); }
    else { call.setRequestHeader("X-Person", mine.person); }
    call.onload = function () {
      var reply = null;
      try { reply = JSON.parse(call.responseText); } catch (error) { reply = null; }
      done(call.status, reply);
    };
    call.onerror = call.ontimeout = function () { done(0, null); };
    call.send(body ? JSON.stringify(body) : null);
  }

  function later(wait) {
    clearTimeout(timer);
    timer = setTimeout(talk, wait);
  }

  function backOff() {
    failures += 1;
    later(Math.min(LONGEST_WAIT, FIRST_WAIT * Math.pow(2, failures - 1)) * (0.5 + Math.random() / 2));
    say();
  }

  // One thing at a time: what has to be sent first, else what has to be known.
  function talk() {
    if (!mine.joined) { return; }
    if (busy) { again = true; return; }
    busy = true;
    again = false;
    var sent = Object.keys(mine.pending);
    if (!told || needsCards()) {
      request("POST", "join", { person: mine.person }, function (status, reply) { heard(status, reply, []); });
    } else if (sent.length) {
      request("POST", "answers", {
        person: mine.person,
        answers: sent.map(function (card) { return { card: Number(card), text: mine.pending[card] }; })
      }, function (status, reply) { heard(status, reply, sent); });
    } else {
      request("GET", "state", null, function (status, reply) { heard(status, reply, []); });
    }
  }

  function needsCards() {
    if (told.state === "answering") {
      return !cards.length || (told.pace === "host" && cards[0].step !== told.step);
    }
    return told.state === "revealed" && told.shows && !results.length && size(mine.stored) > 0 && !told.results;
  }

  function heard(status, reply, sent) {
    busy = false;
    if (status === 0 || status >= 500 || status === 429 || !reply) { backOff(); return; }
    failures = 0;
    if (status === 401) { told = null; later(0); return; }
    if (status !== 200) { refused(status, reply, sent); return; }
    if (mine.room && mine.room !== reply.room) {
      // Another room has this code now: what was answered in the former one is not its business.
      mine.pending = {};
      mine.stored = {};
      cards = [];
      results = [];
    }
    mine.room = reply.room;
    (reply.answered || []).forEach(function (card) {
      if (mine.pending[card] !== undefined) { delete mine.pending[card]; }
      mine.stored[card] = 1;
    });
    (reply.refused || []).forEach(function (card) { delete mine.pending[card]; });
    if (reply.refused && reply.refused.length) { news = "An answer came after the results were shown, and does not count."; }
    if (reply.cards && reply.cards.length) { cards = reply.cards; }
    if (reply.results) { results = reply.results; }
    if (reply.state !== "revealed") { results = []; }
    told = reply;
    keep();
    draw();
    say();
    later(again || size(mine.pending) || needsCards() ? 0 : POLL + Math.random() * JITTER);
  }

  function refused(status, reply, sent) {
    if (sent.length) {
      // It would be refused again for ever.
      sent.forEach(function (card) { delete mine.pending[card]; });
      keep();
      news = reply.error;
      say();
      later(POLL);
      return;
    }
    show("wait", "refused" + reply.error, function () {
      at("wait-head").textContent = status === 404 ? "No such room" : "Not possible now";
      at("wait-text").textContent = reply.error;
    });
    if (status === 404) { forget(); } else { later(LONGEST_WAIT); }
  }

  function forget() {
    try { localStorage.removeItem(name); } catch (error) { keeps = false; }
    mine = fresh();
    told = null;
    at("ask").hidden = false;
  }

  // ---- what stands on the page --------------------------------------------------------------

  function show(section, key, fill) {
    if (showing === section + key) { return; }
    var first = showing === "";
    showing = section + key;
    ["ask", "enter", "wait", "question", "results"].forEach(function (each) { at(each).hidden = each !== section; });
    if (fill) { fill(); }
    if (!first) {
      at(section).querySelector("h2").focus();
      window.scrollTo(0, 0);
    }
  }

  function message(head, text) {
    show("wait", head + text, function () {
      at("wait-head").textContent = head;
      at("wait-text").textContent = text;
    });
  }

  function isAnswered(card) { return mine.stored[card] !== undefined || mine.pending[card] !== undefined; }

  function draw() {
    at("title").textContent = told.title;
    document.title = told.title;
    if (told.state === "waiting") {
      message("You are in", "The first question comes when the host starts. Leave this page open.");
    } else if (told.state === "answering") {
      var open = cards.filter(function (each) {
        return !isAnswered(each.card) && (told.pace !== "host" || each.step === told.step);
      });
      if (open.length) { ask(open[0]); }
      else if (needsCards()) { message("One moment", "The next question is coming."); }
      else if (told.pace === "host") { message("Answered", "The next question comes when the host goes on."); }
      else { message("All answered", "Thank you. Leave this page open: what the room answered may be shown here."); }
    } else if (told.state === "closed") {
      message("The room is closed", told.shows ? "Results may be shown here soon." : "Thank you.");
    } else if (results.length) {
      show("results", "", reveal);
    } else {
      message("Results are shown", "Look at the screen of the host.");
    }
  }

  function ask(card) {
    show("question", String(card.card), function () {
      at("question-head").textContent = "Question " + (card.step + 1) + " of " + told.steps;
      at("question-text").textContent = card.text;
      at("problem").textContent = "";
      at("answer").value = "";
      at("answer").removeAttribute("aria-invalid");
      at("number").hidden = card.kind !== "number";
      at("choices").hidden = card.kind === "number";
      var list = at("choices");
      while (list.children.length > 1) { list.removeChild(list.lastChild); }
      (card.choices || []).forEach(function (choice, index) {
        var label = document.createElement("label"), input = document.createElement("input"), text = document.createElement("span");
        label.className = "choice";
        input.type = "radio";
        input.name = "choice";
        input.value = String(index + 1);
        text.textContent = choice;
        label.appendChild(input);
        label.appendChild(text);
        list.appendChild(label);
      });
      at("answer-form").setAttribute("data-card", card.card);
      at("answer-form").setAttribute("data-kind", card.kind);
    });
  }

  at("choices").addEventListener("change", function () {
    var labels = at("choices").querySelectorAll(".choice"), i;
    for (i = 0; i < labels.length; i++) {
      labels[i].className = labels[i].firstChild.checked ? "choice on" : "choice";
    }
    at("problem").textContent = "";
  });

  at("sign").addEventListener("click", function () {
    var field = at("answer"), text = field.value.replace(/^\s+/, "");
    field.value = /^[-\u2212]/.test(text) ? text.slice(1) : "-" + text;
    field.focus();
  });

  at("answer-form").addEventListener("submit", function (event) {
    event.preventDefault();
    var form = at("answer-form"), card = form.getAttribute("data-card"), text, chosen;
    if (form.getAttribute("data-kind") === "number") {
      text = at("answer").value.trim();
      if (!NUMBER.test(text)) {
        at("answer").setAttribute("aria-invalid", "true");
        at("problem").textContent = "Type a number, for example 12.";
        at("answer").focus();
        return;
      }
    } else {
      chosen = form.querySelector("input[name=choice]:checked");
      if (!chosen) {
        at("problem").textContent = "Choose one.";
        return;
      }
      text = chosen.value;
    }
    if (!isAnswered(card)) { mine.pending[card] = text; }
    keep();
    draw();
    say();
    failures = 0;
    later(0);
  });

  function part(parent, kind, text, style) {
    var made = document.createElement(kind);
    made.textContent = text;
    if (style) { made.className = style; }
    parent.appendChild(made);
  }

  function reveal() {
    var list = at("result-list");
    list.textContent = "";
    results.forEach(function (each) {
      var item = document.createElement("li"), line = "Your answer: " + each.answer;
      part(item, "div", each.text, "text");
      if (each.is_right !== null) { line += each.is_right ? " \u2013 right" : " \u2013 not right; right is " + each.right_answer; }
      part(item, "p", line);
      if (each.right !== null) {
        part(item, "p", "Right in the room: " + each.right + " of " + each.answered + ".", "soft");
        if (each.twin_right !== null && each.twin_answered) {
          part(item, "p", "The same question in other words: " + each.twin_right + " of " + each.twin_answered + " right.", "soft");
        }
      } else {
        part(item, "p", each.same + " of " + each.answered + " chose the same.", "soft");
      }
      list.appendChild(item);
    });
  }

  function say() {
    var waiting = size(mine.pending), stored = size(mine.stored), text = "";
    if (!mine.joined) { return; }
    if (stored) { text = stored === 1 ? "1 answer is stored." : stored + " answers are stored."; }
    if (waiting && failures) {
      text += " " + (waiting === 1 ? "1 waits" : waiting + " wait") + " on this phone until there is a connection.";
    } else if (failures > 1) { text += " No connection; trying again."; }
    notice(news + " " + text);
  }

  function notice(text) {
    text = text.trim();
    if (at("status").textContent !== text) { at("status").textContent = text; }
  }

  // ---- coming in ----------------------------------------------------------------------------

  at("ask-form").addEventListener("submit", function (event) {
    event.preventDefault();
    var given = at("code").value.trim().toUpperCase();
    if (/^[A-Z]{4}$/.test(given)) { location.href = folder + given; }
    else { notice("A code has four letters."); at("code").focus(); }
  });

  at("join").addEventListener("click", function () {
    mine.joined = true;
    keep();
    message("One moment", "Joining the room.");
    later(0);
  });

  function now() { failures = 0; later(0); }
  window.addEventListener("online", now);
  window.addEventListener("pageshow", now);
  document.addEventListener("visibilitychange", function () { if (!document.hidden) { now(); } });

  if (!code) { show("ask", ""); }
  else if (mine.joined) { keep(); message("One moment", "Joining the room."); later(0); }
  else {
    at("room-code").textContent = code;
    keep();
    show("enter", "");
  }
})();
