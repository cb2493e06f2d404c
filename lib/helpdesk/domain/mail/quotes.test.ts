// Goal: no answer is lost, and no text takes long. What real programs write is in test/support/mails.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripQuotes } from './quotes.ts';

describe('stripQuotes', () => {
  it('keeps what is neither quoted nor signed, whatever it is', async () => {
    const line = fc.stringMatching(/^[a-z ]{1,60}$/).map((text) => `${text}.`);
    await fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        const trimmed = lines
          .map((text) => text.trimEnd())
          .join('\n')
          .trim();
        expect(stripQuotes(lines.join('\n')).text).toBe(trimmed);
      }),
    );
  });

  it('never makes an answer empty', async () => {
    const part = fc.constantFrom(
      '> quoted',
      '',
      '-- ',
      'Sent from my iPhone',
      'On Fri, Nov 20, 2026 at 9:41 AM A <a@b.example> wrote:',
      '-----Original Message-----',
      'From: A <a@b.example>',
      'Sent: now',
      'To: B',
      'text',
    );
    await fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (lines) => {
        const text = lines.join('\n');
        expect(stripQuotes(text).text === '').toBe(text.trim() === '');
      }),
    );
  });

  it.each([
    ['new lines', '\n'.repeat(200_000)],
    ['attributions', 'On Fri, Nov 20, 2026 at 9:41 AM A <a@b.example>\n'.repeat(5_000)],
    ['the begin of attributions', 'Am Am Am Am schrieb\n'.repeat(20_000)],
    ['one line', 'On '.repeat(100_000)],
    ['quotes and answers', '> a\nb\n'.repeat(20_000)],
    ['header blocks', 'From: a\nSent\n'.repeat(20_000)],
    ['dashes', `${'-'.repeat(200_000)}\n`],
    ['blanks', `${' '.repeat(200_000)}x`],
  ])('reads %s of any length without going over them again and again', (_, text) => {
    // What is quadratic in these runs into the time limit of every test.
    expect(stripQuotes(text).text === '').toBe(text.trim() === '');
  });

  it('keeps what comes after more lines than it looks at', () => {
    const text = `${'a\n'.repeat(5_001)}> b`;
    expect(stripQuotes(text)).toEqual({ text, stripped: false });
  });
});
