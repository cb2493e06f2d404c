// JSON in printable ASCII. Queues take XML characters only: SQS refuses U+FFFE and U+FFFF, and some of its emulators
// whatever lies beyond the Basic Multilingual Plane. Escaped, any text that JSON can spell passes.

const UNSAFE = /[^\x20-\x7e]/g;

export function asciiJson(value: unknown): string {
  // Code unit by code unit: the halves of a surrogate pair are escaped one after the other, as JSON wants it.
  return JSON.stringify(value).replace(
    UNSAFE,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
