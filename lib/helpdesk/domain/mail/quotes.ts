// The text of an answer, without what it quotes and without its signature.
// Guarantees: linear in the size of the text for any input; when in doubt a line stays; text that is nothing but quotes
// is kept whole, so that no answer becomes empty. Knows what mail programs write above a quote in the languages below.
import { attributionEnd, isHeaderBlock, isMobileFooter, isSeparator } from './quote-marks.ts';

/** Lines beyond are kept as they are: an answer is shorter. */
const LINES_MAX = 5_000;

export interface Stripped {
  readonly text: string;
  /** Something was taken out. */
  readonly stripped: boolean;
}

export function stripQuotes(text: string): Stripped {
  const whole = tidy(text);
  const all = whole.split('\n');
  const lines = all.slice(0, LINES_MAX);
  const kept = withoutSignature(withoutQuotes(lines));
  const visible = tidy(kept.join('\n'));
  if (visible === '') return { text: whole, stripped: false };
  const rest = all.slice(LINES_MAX);
  // After a cut the lines beyond LINES_MAX are dropped as well.
  const result = visible === tidy(lines.join('\n')) ? tidy([visible, ...rest].join('\n')) : visible;
  return { text: result, stripped: result !== whole };
}

function withoutQuotes(lines: readonly string[]): readonly string[] {
  const cutAt = cutLine(lines);
  const head = lines.slice(0, cutAt);
  const blocks = quoteBlocks(head);
  const [first] = blocks;
  if (first === undefined) return head;
  const answersEach = blocks.filter(({ end }) => head.slice(end).some((line) => isAnswer(line))).length > 1;
  // Answers between the quotes mean nothing without them.
  if (answersEach) return head;
  return head.filter((_, index) => !blocks.some(({ start, end }) => index >= start && index < end));
}

/** The line at which an unmarked quote begins; the number of lines if there is none. */
function cutLine(lines: readonly string[]): number {
  for (const [index, line] of lines.entries()) {
    if (isSeparator(line) && followsBlockOrText(lines, index + 1)) return withoutRule(lines, index);
    if (isHeaderBlock(lines, index)) return withoutRule(lines, index);
    const end = attributionEnd(lines, index);
    // A quote with line marks is removed by its marks, and text below it is kept.
    if (end?.isSure === true && !isQuoted(nextText(lines, end.end))) return index;
  }
  return lines.length;
}

/** The rule of underscores above a header block belongs to it. */
function withoutRule(lines: readonly string[], index: number): number {
  let start = index;
  while (start > 0 && /^\s*(?:_{5,}|-{5,})?\s*$/.test(lines[start - 1] ?? '')) start -= 1;
  return start;
}

function followsBlockOrText(lines: readonly string[], from: number): boolean {
  return lines.slice(from, from + 5).some((line) => line.trim() !== '');
}

interface Block {
  readonly start: number;
  readonly end: number;
}

/** Runs of quoted lines, each with the attribution above it. */
function quoteBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let index = 0;
  while (index < lines.length) {
    const attribution = attributionEnd(lines, index);
    const begin = attribution === null ? index : skipBlank(lines, attribution.end);
    if (!isQuoted(lines[begin])) {
      index += 1;
      continue;
    }
    const end = quoteEnd(lines, begin);
    blocks.push({ start: index, end });
    index = end;
  }
  return blocks;
}

function quoteEnd(lines: readonly string[], from: number): number {
  let end = from;
  for (let index = from; index < lines.length; index++) {
    if (isQuoted(lines[index])) end = index + 1;
    else if ((lines[index] ?? '').trim() !== '') break;
  }
  return end;
}

function skipBlank(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && (lines[index] ?? '').trim() === '') index += 1;
  return index;
}

const nextText = (lines: readonly string[], from: number): string | undefined =>
  lines[skipBlank(lines, from)];

const isQuoted = (line: string | undefined): boolean => line !== undefined && /^\s{0,3}>/.test(line);

const isAnswer = (line: string): boolean => line.trim() !== '' && !isQuoted(line);

/** Cuts from the last signature mark on, unless nothing would be left. */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const mark = lines.findLastIndex((line) => /^--\s?$/.test(line));
  const unsigned =
    mark > 0 && lines.slice(0, mark).some((line) => line.trim() !== '') ? lines.slice(0, mark) : lines;
  let end = unsigned.length;
  for (let index = unsigned.length - 1; index >= 0; index--) {
    const line = (unsigned[index] ?? '').trim();
    if (line === '') continue;
    if (!isMobileFooter(line)) break;
    end = index;
  }
  return unsigned.slice(0, end);
}

function tidy(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .trim();
}
