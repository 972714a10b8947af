import { formatSourceId, listSearchedNames } from '../store/references.ts';

/** What a text names: `Type/id`, and the names of all that its searches look for. */
export interface WrittenNames {
  addresses: string[];
  searched: string[];
}

const ADDRESS = /(?<![A-Za-z0-9])([A-Z][A-Za-z]{1,50})\/([A-Za-z0-9.-]{1,64})/g;
const SEARCH = /(?<![A-Za-z0-9])([A-Z][A-Za-z]{1,50})(?:\/(?:_search)?)?\?/g;
const ID = /[A-Za-z0-9.-]{1,64}/g;

/**
 * Lists what a text may name, for what is hidden with its target: each address and each id of a search, whatever stands before
 * and behind them and however their letters are encoded. What a reference leads to is read strictly (`parseReference`).
 */
export function listWrittenNames(text: string): WrittenNames {
  const decoded = decodeLetters(text);
  const addresses = new Set<string>();
  for (const [, type = '', id = ''] of decoded.matchAll(ADDRESS)) addAddress(addresses, type, id);
  const searched = new Set<string>();
  for (const { type, query } of listSearches(decoded)) {
    for (const name of listSearchedNames(`${type}?${query}`)) {
      searched.add(name);
      const prefix = formatSourceId(type, '');
      if (!name.startsWith(prefix)) continue;
      for (const [id] of name.slice(prefix.length).matchAll(ID)) {
        addAddress(addresses, type, id);
        searched.add(formatSourceId(type, id));
      }
    }
  }
  return { addresses: [...addresses], searched: [...searched] };
}

/** A full stop is that of the sentence, and may be part of the id. */
function addAddress(addresses: Set<string>, type: string, id: string): void {
  addresses.add(`${type}/${id}`);
  if (/[.-]$/.test(id)) addresses.add(`${type}/${id.slice(0, -1)}`);
}

/** Lists the searches of a text, each up to the next one, the end of its attribute or the next word. */
function listSearches(text: string): { type: string; query: string }[] {
  if (!text.includes('?')) return [];
  const starts = [...text.matchAll(SEARCH)];
  return starts.map(({ 0: start, 1: type = '', index }, at) => {
    const query = text.slice(index + start.length, starts[at + 1]?.index);
    const [written = ''] = /^[^\s#"'<>]*/.exec(joinLists(query)) ?? [];
    return { type, query: written };
  });
}

/** White space around the members of a list belongs to it. */
const joinLists = (query: string): string =>
  query.replaceAll(/([=,])\s{1,9}/g, '$1').replaceAll(/\s{1,9}(?=,)/g, '');

const ENCODED =
  /%[0-7][0-9a-f]|&(?:#0{0,9}[0-9]{2,3}|#x0{0,9}[0-7]?[0-9a-f]|sol|quest|equals|lowbar|comma|amp);/gi;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['&sol;', '/'],
  ['&quest;', '?'],
  ['&equals;', '='],
  ['&lowbar;', '_'],
  ['&comma;', ','],
  ['&amp;', '&'],
]);

/** Decodes the letters of ASCII, each by itself: a sign of per cent that encodes nothing leaves the others as they are. */
const decodeLetters = (text: string): string =>
  /[%&]/.test(text)
    ? text.replaceAll(ENCODED, (written) => NAMED.get(written.toLowerCase()) ?? decodeLetter(written))
    : text;

const decodeLetter = (written: string): string => {
  const isDecimal = /^&#\d/.test(written);
  const digits = written.replace(/^%|^&#x?/i, '');
  return String.fromCharCode(Number.parseInt(digits, isDecimal ? 10 : 16));
};
