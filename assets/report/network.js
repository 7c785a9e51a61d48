"use strict";
// Tiny networks that answer in the page: a transformer of the Llama kind, a token at a time.
window.BiasLabNetworks = (() => {
  const decoded = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer;

  // ------------------------------------------------------------------ the network
  // A matrix is stored as whole numbers of 16 bits, each row with the factor that they are of.
  function matrix({ rows, factors, numbers }) {
    const scale = new Float32Array(decoded(factors));
    const whole = new Int16Array(decoded(numbers));
    const width = whole.length / rows;
    const values = new Float32Array(whole.length);
    for (let at = 0; at < whole.length; at += 1) values[at] = whole[at] * scale[Math.floor(at / width)];
    return { rows, width, values };
  }

  function times({ rows, width, values }, input) {
    const out = new Float64Array(rows);
    for (let row = 0, at = 0; row < rows; row += 1) {
      let sum = 0;
      for (let column = 0; column < width; column += 1, at += 1) sum += values[at] * input[column];
      out[row] = sum;
    }
    return out;
  }

  class Network {
    constructor(shape, network) {
      this.shape = shape;
      this.tables = Object.fromEntries(
        Object.entries(network.matrices).map(([name, stored]) => [name, matrix(stored)]));
      this.norms = Object.fromEntries(
        Object.entries(network.norms).map(([name, stored]) => [name, new Float32Array(decoded(stored))]));
      this.begin();
    }

    begin() {
      this.place = 0;
      this.keys = Array.from({ length: this.shape.layers }, () => []);
      this.values = Array.from({ length: this.shape.layers }, () => []);
    }

    normed(input, name) {
      const weights = this.norms[name];
      let squares = 0;
      for (const each of input) squares += each * each;
      const factor = 1 / Math.sqrt(squares / input.length + this.shape.epsilon);
      return input.map((each, at) => each * factor * weights[at]);
    }

    turned(input) {
      const { size, base } = this.shape;
      const out = new Float64Array(input.length);
      for (let head = 0; head < input.length; head += size) {
        for (let at = 0; at < size / 2; at += 1) {
          const angle = this.place * base ** (-2 * at / size);
          const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
          const [one, other] = [input[head + at], input[head + at + size / 2]];
          out[head + at] = one * cosine - other * sine;
          out[head + at + size / 2] = other * cosine + one * sine;
        }
      }
      return out;
    }

    attended(input, layer) {
      const { size } = this.shape;
      const own = name => this.tables[`${layer}.${name}`];
      const query = this.turned(times(own("q"), input));
      this.keys[layer].push(this.turned(times(own("k"), input)));
      this.values[layer].push(times(own("v"), input));
      const out = new Float64Array(query.length);
      for (let head = 0; head < query.length; head += size) {
        const scores = this.keys[layer].map(key => {
          let sum = 0;
          for (let at = head; at < head + size; at += 1) sum += query[at] * key[at];
          return sum / Math.sqrt(size);
        });
        const most = Math.max(...scores);
        const shares = scores.map(score => Math.exp(score - most));
        const whole = shares.reduce((sum, share) => sum + share, 0);
        this.values[layer].forEach((value, place) => {
          for (let at = head; at < head + size; at += 1) out[at] += shares[place] / whole * value[at];
        });
      }
      return times(own("o"), out);
    }

    // Reads a token; the scores of every token to come next.
    read(token) {
      const { width, layers } = this.shape;
      const words = this.tables.words;
      let state = Float64Array.from(words.values.subarray(token * width, (token + 1) * width));
      for (let layer = 0; layer < layers; layer += 1) {
        const attended = this.attended(this.normed(state, `${layer}.before`), layer);
        state = state.map((each, at) => each + attended[at]);
        const normed = this.normed(state, `${layer}.after`);
        const gate = times(this.tables[`${layer}.gate`], normed);
        const up = times(this.tables[`${layer}.up`], normed);
        const down = times(this.tables[`${layer}.down`], gate.map((each, at) => each / (1 + Math.exp(-each)) * up[at]));
        state = state.map((each, at) => each + down[at]);
      }
      this.place += 1;
      return times(words, this.normed(state, "last"));
    }
  }

  // ------------------------------------------------------------------ words
  const PIECES = /'s(?![A-Za-z])| ?[A-Za-z]+| ?[^A-Za-z\d\s]|\d|\s/g;

  class Writer {
    constructor(data) {
      this.data = data;
      this.numbers = new Map(data.words.map((word, number) => [word, number]));
    }

    unknown(text) {
      return [...new Set((text.match(PIECES) || []).filter(piece => !this.numbers.has(piece)))]
        .map(piece => piece.trim());
    }

    // What the network writes after a text: until it ends, begins a question of its own, or `most`.
    continued(network, text, most) {
      network.begin();
      let scores;
      for (const piece of text.match(PIECES)) scores = network.read(this.numbers.get(piece) ?? this.data.unknown);
      let written = "";
      for (let step = 0; step < most; step += 1) {
        let best = 0;
        for (let at = 1; at < scores.length; at += 1) if (scores[at] > scores[best]) best = at;
        if (best === this.data.end) break;
        written += this.data.words[best];
        const stop = Math.min(...this.data.stops.map(each => written.indexOf(each)).filter(at => at >= 0));
        if (Number.isFinite(stop)) return written.slice(0, stop);
        scores = network.read(best);
      }
      return written;
    }

    // As BiasLab asks step by step: the working, then the answer after it.
    answered(network, problem) {
      const { question, reasoning, final, tokens } = this.data.prompt;
      const begun = question.replace("{problem}", problem) + reasoning;
      const working = this.continued(network, begun, tokens[0]);
      const answer = this.continued(network, `${begun} ${working.trim()}\n${final}`, tokens[1]);
      const number = answer.match(/-?\d+/);
      return { working, answer, number: number ? number[0] : null };
    }
  }

  // ------------------------------------------------------------------ the page
  function show(data) {
    const byId = id => document.getElementById(id);
    const [slider, text, out, where] = ["network-mix", "network-text", "network-out", "network-where"].map(byId);
    const writer = new Writer(data);
    const networks = data.networks.map(each => new Network(data.shape, each));
    const say = () => {
      const chosen = data.networks[Number(slider.value)];
      where.textContent = chosen.label;
      slider.setAttribute("aria-valuetext", chosen.label);
      const problem = text.value.trim().replace(/\s+/g, " ");
      out.replaceChildren();
      const line = (name, words) => {
        const made = document.createElement(name);
        made.textContent = words;
        out.append(made);
      };
      if (!problem) return;
      if (problem.length > data.longest) {
        line("p", `At most ${data.longest} signs.`);
        return;
      }
      const unknown = writer.unknown(problem);
      if (unknown.length) {
        line("p", `These networks were never taught: ${unknown.join(", ")}. Use words of the examples.`);
        return;
      }
      const { working, number } = writer.answered(networks[Number(slider.value)], problem);
      line("strong", number === null ? "No number" : number);
      line("p", working.trim());
    };
    let waiting;
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(say, 300); };
    slider.addEventListener("input", say);
    text.addEventListener("input", soon);
    for (const button of document.querySelectorAll("[data-problem]")) {
      button.addEventListener("click", () => { text.value = button.dataset.problem; say(); });
    }
    byId("network-live").hidden = false;
    say();
  }

  const data = JSON.parse(document.getElementById("network-data").textContent);
  show(data);
  return { data, Network, Writer };
})();
