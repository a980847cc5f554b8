// Search in names and arguments: the list of matches, and stepping through them.

const MATCHES_MAX = 500;
const search = { words: '', matches: [], at: -1, total: 0 };
const searchField = document.getElementById('search');

// The numbers of all texts that contain some words.
function matchingTexts(words) {
  const wanted = words.toLowerCase(), found = new Set();
  for (let i = 1; i < texts.count; i++) {
    if (texts.get(i).toLowerCase().includes(wanted)) found.add(i);
  }
  return found;
}

function runSearch() {
  search.words = searchField.value.trim();
  search.matches = [];
  search.at = -1;
  search.total = 0;
  if (search.words) {
    const found = matchingTexts(search.words);
    for (const lane of lanes) {
      if (lane.isTitle || !found.size) continue;
      for (const row of lane.marks ? [lane.marks, ...lane.rows] : lane.rows) {
        for (let i = 0; i < row.count; i++) {
          if (!found.has(row.name[i]) && !(row.detail[i] && found.has(row.detail[i]))) continue;
          search.total++;
          if (search.matches.length < MATCHES_MAX) search.matches.push({ lane, row, index: i });
        }
      }
    }
    search.matches.sort((a, b) => timeOf(a) - timeOf(b));
  }
  listMatches();
  if (search.words) openTab('search');
}

const timeOf = ({ lane, row, index }) => row.start[index] + lane.trace.shift;

function listMatches() {
  const panel = document.getElementById('panel-search');
  document.getElementById('tab-search').replaceChildren('Matches',
    make('b', '', search.words ? search.total.toLocaleString('en') : ''));
  panel.replaceChildren();
  if (!search.matches.length) {
    panel.append(make('p', 'none', search.words
      ? `Nothing is called “${search.words}”.` : 'Press / and type a name or an argument.'));
    return;
  }
  for (const match of search.matches) {
    const { lane, row, index } = match;
    const item = make('button', 'item', make('span', 'sign', ''),
      make('span', 'name', traceBadge(lane.trace), texts.get(row.name[index])),
      make('span', 'time', moment(timeOf(match))),
      make('span', 'words', texts.get(row.detail[index]) || lane.label));
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
      + `${search.total.toLocaleString('en')} matches.`));
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
  const time = timeOf(match), end = match.row.end[match.index] + match.lane.trace.shift;
  if (time < view.from || time > view.to || (end - time) / span() * timeWidth() < 3) {
    const length = Math.max((end - time) * 12, Math.min(span(), 2e9));
    glide((time + end) / 2 - length / 2, (time + end) / 2 + length / 2);
  }
  scrollToLane(match.lane, match.row);
}

searchField.addEventListener('input', () => {
  clearTimeout(search.timer);
  search.timer = setTimeout(runSearch, 120);
});
searchField.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') {
    if (searchField.value.trim() !== search.words) runSearch();
    stepMatch(event.shiftKey ? -1 : 1);
  } else if (event.key === 'Escape') {
    searchField.value = '';
    runSearch();
    document.getElementById('scroller').focus();
  }
});
