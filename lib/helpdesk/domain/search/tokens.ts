// Search tokens of records and of queries. Guarantees: a record and a query are cut alike; neither case nor accents
// matter; a script without spaces is found by any two neighbouring characters; a record has at most TOKENS_MAX tokens
// of TOKEN_MAX_CHARS each. Accepts any text; the middle of a word is not found.

export const TOKENS_MAX = 40;
export const TOKEN_MAX_CHARS = 32;

/** `isPrefix`: words that begin with it do as well. */
export interface QueryToken {
  readonly text: string;
  readonly isPrefix: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const ADDRESS = /^[^@]+@[^@]+$/;

/** Tokens of a record, of the first text first, each once. */
export function tokensOf(texts: readonly (string | null)[], max = TOKENS_MAX): readonly string[] {
  const tokens = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    for (const token of [...addressTokens(text), ...wordsOf(text).flatMap(recordTokens)]) {
      if (tokens.size >= max) return [...tokens];
      tokens.add(cut(token));
    }
  }
  return [...tokens];
}

/**
 * Tokens that a record must all have; the last word is a prefix. Empty if the text has no word: such a query finds
 * nothing.
 */
export function queryOf(search: string): readonly QueryToken[] {
  const tokens: string[] = [];
  for (const part of fold(search).split(/\s+/)) {
    if (part.includes('@')) tokens.push(part.replace(/^@/, ''));
    else for (const [word] of part.matchAll(WORD)) tokens.push(...queryTokens(word));
  }
  const named = tokens.map(cut).filter((token) => token !== '');
  const last = named.length - 1;
  return named.map((text, i) => ({ text, isPrefix: i === last }));
}

export function matchesQuery(tokens: readonly string[], query: readonly QueryToken[]): boolean {
  if (query.length === 0) return false;
  const known = new Set(tokens);
  return query.every(({ text, isPrefix }) =>
    isPrefix ? tokens.some((token) => token.startsWith(text)) : known.has(text),
  );
}

/** Each once, and first those that probably match the fewest records: the longest, and whole words before prefixes. */
export function likelyRarest(query: readonly QueryToken[]): readonly QueryToken[] {
  const weight = ({ text, isPrefix }: QueryToken): number => [...text].length * 2 - (isPrefix ? 1 : 0);
  const distinct = new Map(
    query.map((token) => [`${token.isPrefix ? 'beginning' : 'word'} ${token.text}`, token]),
  );
  return [...distinct.values()].toSorted((a, b) => weight(b) - weight(a));
}

/** Folds case and marks; where a script has two spellings, uses one of them. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

const wordsOf = (text: string): readonly string[] => fold(text).match(WORD) ?? [];

/** Each address whole, and its domain. A search for the local part finds the address as a prefix. */
function addressTokens(text: string): readonly string[] {
  if (!text.includes('@')) return [];
  return fold(text)
    .split(/\s+/)
    .map((part) => part.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((part) => ADDRESS.test(part))
    .flatMap((address) => [address, address.slice(address.indexOf('@') + 1)]);
}

/** Of a run without spaces: each pair of neighbours, and the last character, which begins no pair. */
function recordTokens(word: string): readonly string[] {
  return pieces(word).flatMap(({ text, isUnspaced }) => {
    if (!isUnspaced) return [text];
    const characters = [...text];
    return [...pairsOf(characters), characters.at(-1) ?? ''];
  });
}

function queryTokens(word: string): readonly string[] {
  return pieces(word).flatMap(({ text, isUnspaced }) => {
    const characters = [...text];
    return isUnspaced && characters.length > 1 ? pairsOf(characters) : [text];
  });
}

const pairsOf = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, i) => `${characters[i]}${character}`);

function pieces(word: string): { readonly text: string; readonly isUnspaced: boolean }[] {
  const found: { text: string; isUnspaced: boolean }[] = [];
  let end = 0;
  for (const match of word.matchAll(UNSPACED)) {
    if (match.index > end) found.push({ text: word.slice(end, match.index), isUnspaced: false });
    found.push({ text: match[0], isUnspaced: true });
    end = match.index + match[0].length;
  }
  if (end < word.length) found.push({ text: word.slice(end), isUnspaced: false });
  return found;
}

const cut = (token: string): string =>
  token.length <= TOKEN_MAX_CHARS ? token : [...token].slice(0, TOKEN_MAX_CHARS).join('');
