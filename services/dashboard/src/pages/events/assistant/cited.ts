// The text of an answer in parts: what cites a query, what is a figure and where it comes from, and the rest.
import type { Figure } from './conversation.ts';

export interface Part {
  readonly kind: 'text' | 'citation' | 'figure';
  readonly text: string;
  /** Ids of the queries; of a figure without any, nobody knows where it comes from. */
  readonly sources: readonly string[];
}

const CITATION = String.raw`\[r\d{1,3}(?:, ?r\d{1,3})*\]`;
const BEFORE = String.raw`(?<![\p{L}\p{N}_.,:#/-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_]|[-/:]\d|[.,]\d)`;

/** As the service finds figures: no part of a word, an id or a date. */
export function partsOf(text: string, figures: readonly Figure[]): readonly Part[] {
  const known = new Map(figures.map(({ figure, sources }) => [figure, sources]));
  // Digits, commas, points and a sign: nothing else is in a figure.
  const longestFirst = [...known.keys()]
    .filter((figure) => /^[-\d.,]+$/.test(figure))
    .toSorted((a, b) => b.length - a.length)
    .map((figure) => figure.replaceAll('.', String.raw`\.`));
  const numbers = longestFirst.length === 0 ? '' : `|${BEFORE}(?:${longestFirst.join('|')})${AFTER}`;
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(new RegExp(`${CITATION}${numbers}`, 'gu'))) {
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index), sources: [] });
    const [found] = match;
    const sources = known.get(found);
    parts.push(
      sources === undefined
        ? { kind: 'citation', text: found, sources: found.match(/r\d+/g) ?? [] }
        : { kind: 'figure', text: found, sources },
    );
    at = match.index + found.length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at), sources: [] });
  return parts;
}
