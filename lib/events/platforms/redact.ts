// The platform's own words, made fit to keep. Vendors quote what they refuse; a message must not carry a person
// or a token back into rows and logs.

export const MESSAGE_MAX_CHARS = 300;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/[^\s"'<>@]{1,64}@[^\s"'<>@]{1,255}/g, '[email]'],
  [/((?:access_token|api_secret|token|secret)(?:\s*=\s*["']?|["']\s*:\s*["']))[^\s"'&,}]+/gi, '$1[secret]'],
  [/\b(bearer\s+)[^\s"',]+/gi, '$1[secret]'],
  [/\b[0-9a-f]{64}\b/gi, '[digest]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, '[ip]'],
  [/\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}\b/gi, '[ip]'],
  [/\b[A-Za-z0-9_-]{32,}\b/g, '[token]'],
  [/\+\d[\d\s().-]{6,}\d/g, '[phone]'],
];

/** One line of at most 300 characters without e-mail addresses, phone numbers, IP addresses, digests and tokens; undefined when nothing is left. */
export function redactMessage(text: string): string | undefined {
  // What a platform says of a success, nearly always.
  if (text === '') return undefined;
  let out = text.slice(0, 4_096);
  for (const [pattern, replacement] of PATTERNS) out = out.replace(pattern, replacement);
  out = out
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  if (out === '') return undefined;
  return out.length <= MESSAGE_MAX_CHARS ? out : `${out.slice(0, MESSAGE_MAX_CHARS - 1)}…`;
}
