// Where the figures of an answer come from: each number in it, and the results in which the same number stands. One that stands
// in none was computed, or made up, by the model: it has no source, and a reader can see that.

export interface Figure {
  /** As it stands in the answer. */
  readonly figure: string;
  /** Ids of results. */
  readonly sources: readonly string[];
}

const FIGURES_MAX = 100;
/** 1,234.5 · 0.97 · 12 %; not parts of words, ids and dates such as r1, 2026-11-20 and 7d. */
const NUMBER =
  /(?<![\p{L}\p{N}_.,:#/-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\p{L}\p{N}_]|[-/:]\d|[.,]\d)/gu;

export function figuresOf(answer: string, results: ReadonlyMap<string, unknown>): readonly Figure[] {
  const numbers = new Map([...results].map(([id, body]) => [id, numbersIn(body)] as const));
  const written = new Set(Array.from(answer.matchAll(NUMBER), ([text]) => text));
  return [...written].slice(0, FIGURES_MAX).map((figure) => {
    const value = Number(figure.replaceAll(',', ''));
    const isPercent = answer.includes(`${figure}%`) || answer.includes(`${figure} %`);
    const wanted = isPercent ? [value, value / 100] : [value];
    const sources = [...numbers].flatMap(([id, found]) => (wanted.some((one) => found.has(one)) ? [id] : []));
    return { figure, sources };
  });
}

function numbersIn(body: unknown): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'number') found.add(value);
    else if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)) found.add(Number(value));
    else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value));
  }
  return found;
}
