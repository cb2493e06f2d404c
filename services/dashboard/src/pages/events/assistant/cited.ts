// The text of an answer in parts: citations of queries, figures with their sources, and the rest.
import type { Figure } from './conversation.ts';

export interface Part {
  readonly kind: 'text' | 'citation' | 'figure';
  readonly text: string;
  /** Ids of the queries; empty: the source of the figure is unknown. */
  readonly sources: readonly string[];
}

const CITATION = String.raw`\[r\d{1,3}(?:, ?r\d{1,3})*\]`;
const BEFORE = String.raw`(?<![\p{L}\p{N}_.,:#/-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_]|[-/:]\d|[.,]\d)`;

/** As the service finds figures: not part of a word, an id or a date. */
export function partsOf(text: string, figures: readonly Figure[]): readonly Part[] {
  const known = new Map(figures.map(({ figure, sources }) => [figure, sources]));
  // A figure has only digits, commas, points and a sign.
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
