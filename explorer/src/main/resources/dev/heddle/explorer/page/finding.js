"use strict";
// The search of a site without a server: that of heddle find, over lists that the model wrote.
(function (heddle) {
  const LONGEST = 20000;
  const MOST_WORDS = 32;
  const SUGGESTIONS = 8;

  /** All forms in the order of the lists, and the opcode of each however its qualifiers are ordered. */
  function known(catalogue, search) {
    const forms = catalogue.families.flatMap(family => family.forms.map(([shape, rest, source, , file]) =>
      ({family: family.name, shape, opcode: family.name + ".sync.aligned." + shape + rest, source, file})));
    forms.forEach((form, i) => {
      form.index = i;
      form.types = search.types[search.forms[i][0]].split(" ");
      form.plainness = search.forms[i][1];
      form.extents = form.shape.match(/\d+/g).map(Number);
    });
    const names = new Set(search.types.flatMap(row => row.split(" ")));
    const key = opcode => {
      const words = opcode.split(".");
      return words.filter(word => !names.has(word)).sort().join(".") + "|" + words.filter(word => names.has(word)).join(".");
    };
    const byOpcode = new Map();
    for (const form of forms) {
      const name = key(form.opcode);
      byOpcode.set(name, [...byOpcode.get(name) || [], form]);
    }
    return {search, forms, exact: opcode => byOpcode.get(key(opcode)) || []};
  }

  const holds = (search, set, i) => (parseInt(search.sets[set][i >> 2], 16) >> (i & 3) & 1) === 1;

  /** The text as an assembler would see it. */
  const plain = text => text.replace(/\/\/[^\n]*/g, " ").replace(/\/\*[\s\S]*?(\*\/|$)/g, " ").replace(/"\s*"/g, "")
      .replace(/\\[nt]/g, " ").replace(/\band[.\s]+popc\b/gi, "andpopc")
      .replace(/["'`]|->|%\w+|\b(asm|volatile|__asm__|__volatile__)\b/g, " ");

  /** The forms of every opcode in a text; none if one of them is not legal. */
  function exact(all, text) {
    const found = new Set();
    for (const token of text.replace(/andpopc/g, "and.popc").split(/[\s,;(){}]+/)) {
      const opcode = token.replace(/^\./, "").toLowerCase();
      if (/^(mma|wgmma\.mma_async)\./.test(opcode)) {
        const forms = all.exact(opcode.replace(/::([124])x/g, "::$1X"));
        if (forms.length === 0) {
          return [];
        }
        forms.forEach(form => found.add(form));
      }
    }
    return [...found];
  }

  /** Letters to insert, delete, change or swap with their neighbour. */
  function distance(one, other) {
    const rows = [];
    for (let i = 0; i <= one.length; i++) {
      rows.push([]);
      for (let j = 0; j <= other.length; j++) {
        if (i === 0 || j === 0) {
          rows[i][j] = i + j;
          continue;
        }
        const least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
        const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
        rows[i][j] = swapped ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
      }
    }
    return rows[one.length][other.length];
  }

  function nearest(search, word) {
    let best = Math.max(1, Math.floor(word.length / 3)) + 1;
    let near = null;
    for (const candidate of word.length > 64 ? [] : Object.keys(search.words)) {
      const far = distance(word, candidate);
      if (far < best) {
        best = far;
        near = candidate;
      }
    }
    return near;
  }

  /** What a shape or a part of one asks for, an extent at a time: m16n8k16, 16x8x16, k64, 16816. */
  function shape(word) {
    if (/^\d{3,6}$/.test(word)) {
      return [{word, meaning: "the shape whose extents read " + word, types: [], fits: form => form.extents.join("") === word}];
    }
    const crossed = /^(\d{1,4})[x*×](\d{1,4})(?:[x*×](\d{1,4}))?$/.exec(word);
    const lettered = /^(?:m(\d*))?(?:n(\d*))?(?:k(\d*))?$/.exec(word);
    const extents = word.length > 16 ? null : crossed || lettered;
    if (!extents || crossed && extents.slice(1).some(each => each !== undefined && Number(each) === 0)) {
      return [];
    }
    const wanted = [0, 1, 2].map(i => /^\d{1,4}$/.test(extents[i + 1]) ? Number(extents[i + 1]) : 0);
    return [0, 1, 2].filter(i => wanted[i] > 0).map(i => ({word: "mnk"[i] + wanted[i], meaning: "MNK"[i] + " = " + wanted[i],
      types: [], fits: form => form.extents[i] === wanted[i]}));
  }

  /** What a word asks for; nothing if it is not understood. */
  function meant(search, word) {
    const take = ([meaning, types, set]) => [{word, meaning, types, fits: form => holds(search, set, form.index)}];
    if (Object.hasOwn(search.words, word)) {
      return take(search.words[word]);
    }
    const extents = shape(word);
    return extents.length || !Object.hasOwn(search.targets, word) ? extents : take(search.targets[word]);
  }

  /** The words of a text as they are taken. */
  class Words {
    constructor(search) {
      this.search = search;
      this.criteria = [];
      this.unknown = [];
      this.types = [];
      this.words = new Set();
    }

    take(token) {
      if (!token || this.criteria.length >= MOST_WORDS) {
        return;
      }
      const parts = token.split(".");
      const name = this.search.sass.find(each => each[0] === parts[0].toUpperCase());
      if (name) {
        this.disassembled(name, parts.slice(1));
        return;
      }
      for (const word of token.toLowerCase().split(/[.\s]+/)) {
        if (word && !this.search.idle.includes(word) && this.criteria.length < MOST_WORDS) {
          this.word(word);
        }
      }
    }

    word(word) {
      const known = meant(this.search, word);
      known.forEach(each => this.add(each));
      if (known.length || this.layout(word)) {
        return;
      }
      const near = nearest(this.search, word);
      if (near) {
        meant(this.search, near).forEach(each => this.add(each));
      }
      this.unknown.push("\"" + word + (near ? "\" was read as \"" + near + "\"" : "\" was not understood"));
    }

    /** The first of two layouts is A's, the second B's. */
    layout(word) {
      const sets = word === "row" || word === "col" ? this.search.layouts[word] : null;
      if (!sets) {
        return false;
      }
      const second = this.words.has("layout of A");
      this.criteria.push({word, meaning: (second ? "B" : "A") + " by ." + word,
        fits: form => holds(this.search, sets[second ? 1 : 0], form.index)});
      this.words.add("layout of A");
      return true;
    }

    add(criterion) {
      this.words.add(criterion.word);
      const again = this.criteria.some(each => each.word === criterion.word);
      if (!again) {
        this.criteria.push(criterion);
      }
      if (criterion.types.length === 1 || !again) {
        this.types.push(...criterion.types);
      }
    }

    /** A disassembler's name: its mnemonic, the types of D and of A and B, and the rest. */
    disassembled([mnemonic, warpgroup, multiplied, meaning], parts) {
      const half = multiplied.includes("tf32");
      const results = [];
      const operands = [];
      const others = [];
      for (const written of parts) {
        const part = written.toLowerCase();
        const asked = meant(this.search, part === "and" ? "andpopc" : part);
        if (asked.length === 0) {
          if (part && !this.search.idle.includes(part) && !part.startsWith("step")) {
            this.unknown.push("\"" + written + "\" was not understood");
          }
        } else if (asked[0].types.length === 0) {
          others.push(...asked);
        } else if (half ? part !== "f16" && part !== "f32" : multiplied.includes(part)) {
          operands.push(part);
        } else {
          results.push(asked[0].types[0]);
        }
      }
      const [first, second = first] = operands;
      const multiplies = ({types: [, a, b]}) => first === undefined ? (half ? a === "f16" : multiplied.includes(a)) : a === first && b === second;
      const packed = form => form.types[1] === "e2m1" && !holds(this.search, this.search.padded, form.index);
      const has = (word, form) => holds(this.search, this.search.words[word][2], form.index);
      this.criteria.push({word: mnemonic.toLowerCase(), meaning: mnemonic + ": " + meaning, fits: form => has("wgmma", form) === warpgroup
        && packed(form) === (mnemonic === "OMMA") && multiplies(form)}, ...others);
      if (results.length) {
        this.criteria.push({word: results[0], meaning: "D of type ." + results[0], fits: form =>
          results.every(type => form.types.includes(type)) && form.types[0] === results[0]
          && (results.length < 2 || !form.types[3] || form.types[3] === results[1] || has("scaled", form))});
      }
      if (!parts.some(part => part.toUpperCase() === "SP")) {
        this.criteria.push({word: "no .SP", meaning: "A dense", fits: form => !has("sparse", form)});
      }
    }

    /** How surprising a form is where what was asked for is all the same. */
    surprise(form) {
      const sp = this.words.has("sp");
      const family = {"mma": 0, "mma.sp::ordered_metadata": sp ? 301 : 300, "mma.sp": sp ? 300 : 301,
        "wgmma.mma_async": 200, "wgmma.mma_async.sp": 400}[form.family];
      return family + this.typeOrder(form) + form.plainness;
    }

    typeOrder(form) {
      const [, a, b] = form.types;
      const types = this.types;
      const unsigned = (a.startsWith("u") ? 1 : 0) + (b.startsWith("u") ? 1 : 0);
      if (types.length === 0) {
        return unsigned + (a === "f16" ? 0 : 3) + (a === b ? 0 : 6);
      }
      if (types.length >= 3) {
        const all = form.types.filter(Boolean);
        const count = Math.min(types.length, all.length);
        return count === types.length && types.every((type, i) => all[i] === type) ? 0 : 50;
      }
      if (!types.includes(a) && !types.includes(b)) {
        return 500;
      }
      const both = types.includes(b) && types.includes(a);
      const first = a === types[0] || both && types.length === 1;
      return (first ? 0 : 20) + unsigned + (a === b ? 0 : both ? 2 : 30);
    }

    ranked(forms) {
      let fewest = this.criteria.length;
      let found = [];
      for (const form of forms) {
        const missed = this.criteria.filter(each => !each.fits(form)).map(each => each.word);
        if (missed.length < fewest) {
          fewest = missed.length;
          found = [];
        }
        if (missed.length === fewest && fewest < this.criteria.length) {
          found.push({form, missed, surprise: this.surprise(form)});
        }
      }
      return found.sort((one, other) => one.surprise - other.surprise);
    }
  }

  let all = null;

  /** The forms that a text asks for, best first, of those that the site has. */
  heddle.findIn = (catalogue, search, text) => {
    all = all || known(catalogue, search);
    const source = plain(text.slice(0, LONGEST));
    const opcodes = exact(all, source);
    const words = new Words(search);
    let found = opcodes.map(form => ({form, missed: []}));
    let asked = opcodes.slice(0, 1).map(form => ({word: form.opcode, meaning: "the opcode as written"}));
    if (opcodes.length === 0) {
      source.split(/[\s,;(){}]+/).forEach(token => words.take(token));
      found = words.ranked(all.forms.filter(form => form.file));
      asked = words.criteria.map(({word, meaning}) => ({word, meaning}));
    }
    return {complete: found.length > 0 && found[0].missed.length === 0, matching: found.length, asked, unknown: words.unknown,
      forms: found.slice(0, SUGGESTIONS).map(({form, missed}) => ({opcode: form.opcode, source: form.source, missed}))};
  };
})(window.heddle);
