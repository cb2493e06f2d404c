// Text in UTF-8 whose mail says that it is US-ASCII, as many scripts send it: read by the book it comes out as `GrÃ¼ÃŸe`.
// Guarantees: text that was not UTF-8 stays as it was read.

/** What the runtime reads bytes 80 to 9f of US-ASCII as: windows-1252. https://encoding.spec.whatwg.org/#names-and-labels */
const DECODED = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const BYTES = new Map([...DECODED].map((character, byte) => [character, byte]));
const LABEL_WITHIN_BYTES = 262_144;

export function saysAscii(raw: Uint8Array): boolean {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, LABEL_WITHIN_BYTES));
  return /charset\s*=\s*"?(?:us-ascii|ascii|ansi_x3\.4-1968)\b/i.test(start.toString('latin1'));
}

export function readAgain(text: string): string {
  if (/^[\x20-\x7e\s]*$/.test(text)) return text;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = BYTES.get(character);
    if (byte === undefined) return text;
    bytes.push(byte);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return text;
  }
}
