// Which URL a webhook may have. What is checked is what is called: the URL as the parser understands it is what is kept.

export const URL_MAX_CHARS = 2_048;

/** The parser takes these out without a word, and what people read is then not what is called. */
const NOT_IN_A_URL = /[\s\\\p{Cc}\p{Cf}]/u;

/** `refused`: why a URL that was understood may not be called; null where it may. */
export function webhookUrl(
  text: string,
  refused: (url: URL) => string | null,
): { readonly url: string } | { readonly problem: string } {
  if (text.length > URL_MAX_CHARS) return { problem: `must have at most ${URL_MAX_CHARS} characters` };
  if (NOT_IN_A_URL.test(text)) return { problem: 'must not hold spaces, backslashes or control characters' };
  const url = URL.parse(text);
  if (url === null) return { problem: 'is not a URL' };
  if (text.includes('#')) return { problem: 'must not have a fragment' };
  const problem = refused(url);
  if (problem !== null) return { problem };
  // Signs that the parser spells out make it longer.
  return url.href.length > URL_MAX_CHARS
    ? { problem: `must have at most ${URL_MAX_CHARS} characters` }
    : { url: url.href };
}
