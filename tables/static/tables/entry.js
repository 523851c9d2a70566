// Comfort for the entry of a round. Everything works without it: the server checks, counts and keeps
// a double submit from storing a round twice.
"use strict";

(() => {
  const form = document.getElementById("entry");
  if (!form) return;

  const AGAIN_AFTER_MS = 10000;
  const COPIES_OF_A_RANK = 4;
  const buttons = () => form.querySelectorAll("button[type=submit]");
  let isSending = false;

  function setSending(sending) {
    isSending = sending;
    buttons().forEach((button) => { button.disabled = sending; });
  }

  // The token in the cookie is the newest: signing in in another tab changes it, and a typed round
  // must not be lost for that.
  function renewToken() {
    const found = document.cookie.match(/(?:^|; )csrftoken=([A-Za-z0-9]+)/);
    if (found) form.elements.csrfmiddlewaretoken.value = found[1];
  }

  form.addEventListener("submit", (event) => {
    if (isSending) {
      event.preventDefault();
      return;
    }
    renewToken();
    isSending = true;
    // A disabled button would not be sent along, so disable after the browser has read the form.
    setTimeout(() => setSending(true), 0);
    setTimeout(() => setSending(false), AGAIN_AFTER_MS);
  });
  window.addEventListener("pageshow", () => setSending(false));

  // A key held down repeats: it must not press the button of the page that comes next.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  });

  function move(from, rows) {
    const cells = [...form.querySelectorAll(".cells")].filter((row) => row.querySelector("input"));
    const row = from.closest(".cells");
    if (!row) return false;
    const column = [...row.querySelectorAll("input")].indexOf(from);
    const target = cells[cells.indexOf(row) + rows]?.querySelectorAll("input")[column];
    if (!target) return false;
    target.focus();
    target.select();
    return true;
  }

  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault();
      const record = form.querySelector("button[value=record]");
      if (record && !record.disabled) form.requestSubmit(record);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (event.target.matches("input[type=text]") && move(event.target, event.key === "ArrowDown" ? 1 : -1)) {
        event.preventDefault();
      }
    }
  });

  // The round is dated when its entry begins, not when the empty form was opened.
  const time = form.elements.occurred_at;
  const dated = time.value;
  const loadedAt = performance.now();
  const isBlank = ![...form.querySelectorAll(".cells input")].some((input) => input.value);
  if (isBlank && dated) {
    form.querySelector(".grid").addEventListener("input", () => {
      if (time.value !== dated) return;
      const shown = new Date(`${dated}Z`);
      shown.setMilliseconds(performance.now() - loadedAt);
      // To the second: a browser leaves out seconds that are zero, so the length tells nothing.
      time.value = shown.toISOString().slice(0, "2026-11-29T21:14:00".length);
    }, { once: true });
  }

  // Counts and repeats, as typed. What is a card is the server's word; this only helps to see slips.
  const SUITS = { "♠": "s", "♤": "s", "♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c" };
  const isSuited = form.dataset.cardEntry === "suited";

  function spelling(token) {
    const text = token.replace(/[\uFE0E\uFE0F]$/, "").toLowerCase().replace(/^10/, "t");
    if (text === "jk" || text === "joker") return "Jk";
    const suit = SUITS[text.slice(-1)] ?? text.slice(-1);
    return text.slice(0, 1).toUpperCase() + (isSuited ? suit : "");
  }

  const tokens = (input) => input.value.split(/\s+/).filter(Boolean);

  function look() {
    const seen = new Map();
    form.querySelectorAll("input[data-cards]").forEach((input) => {
      const found = tokens(input);
      const expected = input.dataset.cards;
      const count = document.getElementById(`${input.id}_count`);
      count.textContent = found.length ? `${found.length} of ${expected}` : "";
      if (!input.name.endsWith("_cards")) return;
      found.forEach((token) => {
        const card = spelling(token);
        seen.set(card, (seen.get(card) ?? 0) + 1);
      });
    });
    const most = (card) => (isSuited || card === "Jk" ? 1 : COPIES_OF_A_RANK);
    const repeated = [...seen].filter(([card, times]) => times > most(card)).map(([card]) => card);
    const line = document.getElementById("duplicates");
    const words = repeated.length ? `Seen too often: ${repeated.join(" ")}` : "";
    if (line.textContent !== words) line.textContent = words;
  }

  form.addEventListener("input", look);
  look();
  form.querySelectorAll(".with-script").forEach((part) => { part.hidden = false; });
})();
