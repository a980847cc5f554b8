// Reads the data of the page: elements with base64 of little-endian columns, in sections.
// Knows nothing of lanes or of drawing.

const SECTION = { texts: 1, trace: 2, track: 3, spans: 4, marks: 5, finding: 6, fields: 7, end: 8,
  alignment: 9, difference: 10 };
const MARK_FLAGS = { cut: 1 };

// Texts are decoded when somebody looks at them; most are never looked at.
const texts = {
  parts: [], count: 0,
  add(ends, bytes) {
    this.parts.push({ first: this.count, ends, bytes, known: new Array(ends.length) });
    this.count += ends.length;
  },
  part(number) {
    let low = 0, high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.parts[middle].first <= number) low = middle; else high = middle - 1;
    }
    return this.parts[low];
  },
  bytesIn(part, place) {
    return part.bytes.subarray(place ? part.ends[place - 1] : 0, part.ends[place]);
  },
  bytes(number) {
    const part = this.part(number);
    return this.bytesIn(part, number - part.first);
  },
  get(number) {
    if (number >= this.count) return '';
    const part = this.part(number), place = number - part.first;
    let text = part.known[place];
    if (text === undefined) {
      text = decoder.decode(this.bytesIn(part, place));
      part.known[place] = text;
    }
    return text;
  },
};
const decoder = new TextDecoder();

// One or two traces, in the order of the page, and what differs between them.
const traces = [];
const comparison = { anchors: null, words: '', omitted: 0, differences: [] };

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Takes columns out of a section, one behind the other, each padded to eight bytes.
class Columns {
  constructor(buffer, offset, rows) {
    this.buffer = buffer; this.offset = offset; this.rows = rows;
  }
  take(Type) {
    const column = new Type(this.buffer, this.offset, this.rows);
    this.offset += (column.byteLength + 7) & ~7;
    return column;
  }
}

// Reads numbers and texts one behind the other.
class Fields {
  constructor(view, offset) { this.view = view; this.offset = offset; }
  number() { this.offset += 8; return this.view.getFloat64(this.offset - 8, true); }
  whole() { this.offset += 4; return this.view.getUint32(this.offset - 4, true); }
  text() { return texts.get(this.whole()); }
}

function readFinding(view, offset, witnessCount, trace) {
  const fields = new Fields(view, offset);
  const number = () => fields.number(), whole = () => fields.whole(), text = () => fields.text();
  let witness = null;
  return {
    trace, time: number(), last: number(), start: number(), limit: number(), actual: number(),
    count: whole(), launch: whole(), omitted: whole(),
    severity: text(), rule: text(), slug: text(), message: text(), reason: text(),
    subject: text(), confidence: text(), fingerprint: text(), thread: text(),
    summary: text(), consequence: text(), rationale: text(), advice: text(),
    // Of thousands of findings the evidence of a few is looked at.
    get witness() {
      witness = witness || readWitness(fields, witnessCount);
      return witness;
    },
  };
}

function readWitness(fields, count) {
  const witness = [];
  for (let i = 0; i < count; i++) {
    witness.push({
      time: fields.number(), event: fields.text(), role: fields.text(), words: fields.text(),
      line: fields.text(), thread: fields.text(), phase: fields.whole(), ordinal: fields.whole(),
    });
    fields.offset += 4;
  }
  return witness;
}

function readSection(kind, rows, buffer, offset) {
  const view = new DataView(buffer);
  const whole = (place) => view.getUint32(offset + 4 * place, true);
  const trace = traces[traces.length - 1];
  switch (kind) {
    case SECTION.texts: {
      const ends = new Uint32Array(buffer, offset, rows);
      const start = offset + ((4 * rows + 7) & ~7);
      texts.add(ends, new Uint8Array(buffer, start, rows ? ends[rows - 1] : 0));
      break;
    }
    case SECTION.trace:
      traces.push({
        index: traces.length, title: texts.get(whole(0)), path: texts.get(whole(1)), tracks: [],
        spans: [], marks: [], findings: [], fields: [], last: 0, events: 0, launches: 0, shift: 0,
      });
      break;
    case SECTION.track:
      trace.tracks[whole(0)] = {
        trace, number: whole(0), group: whole(1), name: texts.get(whole(2)),
        thread: texts.get(whole(3)), lane: null,
      };
      break;
    case SECTION.spans: {
      const columns = new Columns(buffer, offset, rows);
      trace.spans.push({
        rows, start: columns.take(Float64Array), duration: columns.take(Float64Array),
        name: columns.take(Uint32Array), detail: columns.take(Uint32Array),
        ordinal: columns.take(Uint32Array), track: columns.take(Uint16Array),
        depth: columns.take(Uint8Array), flags: columns.take(Uint8Array),
      });
      break;
    }
    case SECTION.marks: {
      const columns = new Columns(buffer, offset, rows);
      trace.marks.push({
        rows, time: columns.take(Float64Array), name: columns.take(Uint32Array),
        detail: columns.take(Uint32Array), ordinal: columns.take(Uint32Array),
        track: columns.take(Uint16Array),
      });
      break;
    }
    case SECTION.finding:
      trace.findings.push(readFinding(view, offset, rows, trace));
      break;
    case SECTION.fields:
      for (let i = 0; i < rows; i++) {
        trace.fields.push([texts.get(whole(2 * i)), texts.get(whole(2 * i + 1))]);
      }
      break;
    case SECTION.end:
      trace.last = Math.max(1, view.getFloat64(offset, true));
      trace.events = view.getFloat64(offset + 8, true);
      trace.launches = whole(4);
      trace.first = texts.get(whole(5));
      break;
    case SECTION.alignment:
      comparison.anchors = [view.getFloat64(offset, true), view.getFloat64(offset + 8, true)];
      comparison.words = texts.get(whole(4));
      comparison.omitted = whole(5);
      break;
    case SECTION.difference: {
      const number = (place) => view.getFloat64(offset + 8 * place, true);
      comparison.differences.push({
        ranges: [[number(0), number(1)], [number(2), number(3)]],
        change: texts.get(whole(8)), name: texts.get(whole(9)), place: texts.get(whole(10)),
        details: texts.get(whole(11)),
      });
      break;
    }
  }
}

// Reads all data elements and lets go of them.
function readData() {
  for (const element of document.querySelectorAll('script.data')) {
    const bytes = bytesOf(element.textContent);
    const view = new DataView(bytes.buffer);
    element.remove();
    for (let at = 0; at + 16 <= bytes.length;) {
      const length = view.getUint32(at + 8, true);
      readSection(view.getUint32(at, true), view.getUint32(at + 4, true), bytes.buffer, at + 16);
      at += 16 + length;
    }
  }
}
