// Values as they are typed: one a line; in double quotes where a text begins or ends with a blank, has several lines, or would
// be taken for a number, true or false.

type Scalar = string | number | boolean;

/** As it was typed where it is no number: the API refuses it and says so. */
export function numberOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Numbers that a number cannot hold, such as long ids, stay text. */
export function scalarOf(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text) && String(Number(text)) === text) return Number(text);
  return unquoted(text);
}

const unquoted = (text: string): string => {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
};

const quoted = (text: string): string =>
  text !== text.trim() || /[\r\n]/.test(text) || unquoted(text) !== text || text === ''
    ? JSON.stringify(text)
    : text;

export function textOfScalar(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  return typeof scalarOf(value) === 'string' ? quoted(value) : JSON.stringify(value);
}

export const textOf = (values: readonly string[] | undefined): string =>
  (values ?? []).map(quoted).join('\n');

export function linesOf(text: string): string[];
export function linesOf<T>(text: string, read: (line: string) => T): T[];
export function linesOf(text: string, read: (line: string) => unknown = unquoted): unknown[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(read);
}
