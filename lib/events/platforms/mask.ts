// Requests as they may be shown and logged. Guarantees: no secret of `request.secrets` survives, however it is
// written: plain, percent-encoded, form-encoded or inside a JSON string.
import type { HttpRequest } from './platform.ts';

export const MASK = '***';

/** The same request with every secret replaced and `secrets` emptied. */
export function maskSecrets(request: HttpRequest): HttpRequest {
  const spellings = [...new Set(request.secrets.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  const mask = (text: string): string =>
    spellings.reduce((out, secret) => out.replaceAll(secret, MASK), text);
  return {
    method: request.method,
    url: mask(request.url),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, mask(value)])),
    body: mask(request.body),
    secrets: [],
  };
}

function spellingsOf(secret: string): readonly string[] {
  if (secret === '') return [];
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
  ];
}
