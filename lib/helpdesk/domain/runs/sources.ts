// Which articles a draft may be made from: those that share the rarest words with what the customer wrote. Guarantees: pure; the
// same words always give the same order. Refuses words that say nothing: short ones, and those of every text.
import { frequentTokens } from '../articles/tokens.ts';
import { tokensOf } from '../search/tokens.ts';

export const SOURCES_MAX = 5;
/** Looked up in the index for one draft. */
const WORDS_MAX = 40;
/** A word in so many articles does not distinguish them. */
export const COMMON_WORD_ARTICLES = 200;
const WORDS_SHARED_MIN = 2;
const SCORE_MIN = 0.1;

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  tokensOf(
    [
      'about after again all also am and any are as at be because been before being but by can could did do does doing',
      'down for from get got had has have having he hello help her here hers hi him his how if in into is it its just let like me',
      'more most my need no nor not now of off on once only or other our out over own please same she should so some such',
      'than thank thanks that the their them then there these they this those through to too under until up very want was we',
      'were what when where which while who why will with would you your yours',
      'aber als am an auch auf aus bei bin bis bitte da dann das dass dem den der des die dies doch du ein eine einen einer er es',
      'fur hallo hat habe haben ich ihr im in ist ja kann kein mein meine mich mir mit nach nicht noch nur oder sein sie sind so',
      'uber um und uns unser vom von vor war was wenn wer wie wir wird zu zum zur',
      'au aux avec bonjour ce ces cette dans de des du elle en est et etre il je la le les leur ma mais me merci mes mon ne nous on ou',
      'par pas pour que qui sa se ses son sont sur te un une vous',
      'con de del el ella en es esta este esto gracias hola la las lo los me mi muy no nos o para pero por que se si su sus un una y yo',
    ],
    Number.POSITIVE_INFINITY,
  ),
);

/** Of the texts, those that come often first. */
export function wordsToLookUp(texts: readonly string[]): readonly string[] {
  return frequentTokens(texts.join('\n'), Number.POSITIVE_INFINITY).filter(saysSomething).slice(0, WORDS_MAX);
}

const isAscii = (word: string): boolean => /^[\x20-\x7e]*$/.test(word);

function saysSomething(word: string): boolean {
  if (FUNCTION_WORDS.has(word)) return false;
  // Two characters are a word in scripts that have no spaces.
  return isAscii(word) ? word.length >= 3 : word.length >= 2;
}

export interface RankedArticle {
  readonly articleId: string;
  /** Between 0 and 1: its share of the weight of all words that some article has. */
  readonly score: number;
}

/** `found`: each word with the articles that have it. Best first; none that shares too little. */
export function rankArticles(found: ReadonlyMap<string, readonly string[]>): readonly RankedArticle[] {
  const known = [...found].filter(([, ids]) => ids.length > 0 && ids.length < COMMON_WORD_ARTICLES);
  const all = known.reduce((sum, [, ids]) => sum + 1 / ids.length, 0);
  const shared = new Map<string, { words: number; weight: number }>();
  for (const [, ids] of known)
    for (const id of ids) {
      const so = shared.get(id) ?? { words: 0, weight: 0 };
      shared.set(id, { words: so.words + 1, weight: so.weight + 1 / ids.length });
    }
  const wordsMin = Math.min(WORDS_SHARED_MIN, found.size);
  return [...shared]
    .map(([articleId, { words, weight }]) => ({
      articleId,
      words,
      score: Math.round((weight / all) * 1_000) / 1_000,
    }))
    .filter(({ words, score }) => words >= wordsMin && score >= SCORE_MIN)
    .sort((a, b) => b.score - a.score || (a.articleId < b.articleId ? -1 : 1))
    .map(({ articleId, score }) => ({ articleId, score }));
}

/** The part of a text that has most of the words; the text itself where it is short. */
export function passageOf(text: string, words: readonly string[], maxChars: number): string {
  if (text.length <= maxChars) return text;
  const wanted = new Set(words);
  const step = Math.ceil(maxChars / 2);
  let best = { passage: '', words: -1 };
  for (let from = 0; from < text.length - step || from === 0; from += step) {
    const passage = text.slice(from, from + maxChars);
    const has = tokensOf([passage], Number.POSITIVE_INFINITY).filter((token) => wanted.has(token)).length;
    if (has > best.words) best = { passage, words: has };
  }
  return wholeCharacters(best.passage);
}

/** Half a surrogate pair is no text. */
export const wholeCharacters = (text: string): string =>
  text.replace(/[\uD800-\uDBFF]$/, '').replace(/^[\uDC00-\uDFFF]/, '');
