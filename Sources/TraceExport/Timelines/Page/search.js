// Search in names and arguments: the list of matches, and stepping through them.

const MATCHES_MAX = 500;
const search = { words: '', matches: [], at: -1, total: 0, run: 0, wanted: '', timer: 0,
  ready: Promise.resolve(true) };
const searchField = document.getElementById('search');

// How long a search goes on before it lets the page draw and take keys.
const SLICE_MILLISECONDS = 12;
const SLICE_TEXTS = 512, SLICE_ITEMS = 32768;

// Marks the texts that contain some words, slice by slice.
function* matchingTexts(words, found) {
  const wanted = words.toLowerCase();
  for (const { first, ends, bytes } of texts.parts) {
    for (let from = 0; from < ends.length; from += SLICE_TEXTS) {
      const to = Math.min(ends.length, from + SLICE_TEXTS), start = from ? ends[from - 1] : 0;
      const slice = decoder.decode(bytes.subarray(start, ends[to - 1]));
      if (slice.length === ends[to - 1] - start) {
        markPlain(slice.toLowerCase(), wanted, ends, from, start, found, first);
      } else {
        for (let i = from; i < to; i++) {
          const text = decoder.decode(bytes.subarray(i ? ends[i - 1] : 0, ends[i]));
          if (text.toLowerCase().includes(wanted)) found[first + i] = 1;
        }
      }
      yield;
    }
  }
}

// Marks texts of a slice in which each character is a byte: one look over all of them.
function markPlain(slice, wanted, ends, from, start, found, first) {
  let text = from;
  for (let at = slice.indexOf(wanted); at >= 0;) {
    while (ends[text] - start <= at) text++;
    const end = ends[text] - start, isInside = at + wanted.length <= end;
    if (isInside) found[first + text] = 1;
    at = slice.indexOf(wanted, isInside ? end : at + 1);
  }
}

// Collects spans and marks whose texts are marked: counts all, keeps the earliest.
function* matchesAmong(found, result) {
  for (const track of traces.flatMap((trace) => trace.tracks)) {
    for (const row of track.marks ? [track.marks, ...track.rows] : track.rows) {
      let kept = 0;
      for (let from = 0; from < row.count; from += SLICE_ITEMS) {
        const to = Math.min(row.count, from + SLICE_ITEMS);
        for (let i = from; i < to; i++) {
          if (!found[row.name[i]] && !found[row.detail[i]]) continue;
          result.total++;
          // A row is in order of time: none behind these can be among the earliest.
          if (kept++ < MATCHES_MAX) result.matches.push({ track, row, index: i });
        }
        yield;
      }
      if (result.matches.length > 8 * MATCHES_MAX) keepEarliest(result);
    }
  }
  keepEarliest(result);
}

function keepEarliest(result) {
  result.matches.sort((a, b) => timeOf(a) - timeOf(b));
  result.matches.length = Math.min(result.matches.length, MATCHES_MAX);
}

const pause = () => new Promise((resolve) => { setTimeout(resolve); });

// Searches in slices; another search ends it. Returns whether it came to its end.
async function searchFor(words, run) {
  const found = new Uint8Array(texts.count), result = { matches: [], total: 0 };
  if (words) {
    let began = performance.now();
    for (const steps of [matchingTexts(words, found), matchesAmong(found, result)]) {
      for (const _ of steps) {
        if (performance.now() - began < SLICE_MILLISECONDS) continue;
        document.querySelector('#tab-search b').textContent = '…';
        await pause();
        if (run !== search.run) return false;
        began = performance.now();
      }
    }
  }
  Object.assign(search, { words, at: -1 }, result);
  listMatches();
  if (words) {
    openTab('search');
    say(counted(search.total, 'match', 'matches'));
  }
  return true;
}

function runSearch() {
  clearTimeout(search.timer);
  search.wanted = searchField.value.trim();
  search.ready = searchFor(search.wanted, ++search.run);
  return search.ready;
}

const timeOf = ({ track, row, index }) => row.start[index] + track.trace.shift;

function listMatches() {
  const panel = document.getElementById('panel-search');
  document.getElementById('tab-search').replaceChildren('Matches',
    make('b', '', search.words ? grouped(search.total) : ''));
  panel.replaceChildren();
  if (!search.matches.length) {
    panel.append(make('p', 'none', search.words
      ? `Nothing is called “${search.words}”.` : 'Press / and type a name or an argument.'));
    return;
  }
  for (const match of search.matches) {
    const { track, row, index } = match;
    const item = make('button', 'item', make('span', 'sign', ''),
      make('span', 'name', traceBadge(track.trace), named(texts.get(row.name[index]))),
      make('span', 'time', moment(timeOf(match))),
      make('span', 'words', named(texts.get(row.detail[index]) || track.name
        || GROUPS[track.group])));
    item.type = 'button';
    item.addEventListener('click', () => {
      search.at = search.matches.indexOf(match);
      showMatch(match);
    });
    match.item = item;
    panel.append(item);
  }
  if (search.total > search.matches.length) {
    panel.append(make('p', 'none', `The first ${search.matches.length} of `
      + `${grouped(search.total)} matches.`));
  }
}

function stepMatch(by) {
  if (!search.matches.length) return;
  search.at = (search.at + by + search.matches.length) % search.matches.length;
  showMatch(search.matches[search.at]);
}

function showMatch(match) {
  for (const other of search.matches) other.item.removeAttribute('aria-current');
  match.item.setAttribute('aria-current', 'true');
  match.item.scrollIntoView({ block: 'nearest' });
  chooseItem(match);
  const time = timeOf(match), end = match.row.end[match.index] + match.track.trace.shift;
  if (time < view.from || time > view.to || (end - time) / span() * timeWidth() < 3) {
    const length = Math.max((end - time) * 12, Math.min(span(), 2e9));
    glide((time + end) / 2 - length / 2, (time + end) / 2 + length / 2);
  }
  unfold(match.track.group);
  scrollToRow(match);
}

searchField.addEventListener('input', () => {
  clearTimeout(search.timer);
  search.timer = setTimeout(runSearch, 120);
});
searchField.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') {
    const isNew = searchField.value.trim() !== search.wanted;
    const by = event.shiftKey ? -1 : 1;
    (isNew ? runSearch() : search.ready).then((isDone) => { if (isDone) stepMatch(by); });
  } else if (event.key === 'Escape') {
    searchField.value = '';
    runSearch();
    document.getElementById('scroller').focus();
  }
});
