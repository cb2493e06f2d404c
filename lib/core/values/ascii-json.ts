// JSON in printable ASCII. Queues take XML characters only: SQS refuses U+FFFE and U+FFFF, and some of its emulators
// every character beyond the Basic Multilingual Plane. With escapes, any JSON text passes.

const UNSAFE = /[^\x20-\x7e]/g;

export function asciiJson(value: unknown): string {
  // Per code unit: JSON escapes the halves of a surrogate pair one after the other.
  return JSON.stringify(value).replace(
    UNSAFE,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
