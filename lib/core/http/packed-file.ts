// Files that go out as gzip to whoever takes it (RFC 9110, 12.5.3). Guarantees: who refuses gzip, or does not name it, gets the
// text; caches hear that the answer depends on it.
import * as z from 'zod';

/** Of a request for such a file. */
export const FILE_REQUEST = z.object({ 'accept-encoding': z.string().optional() });

/** Headers of its answer. */
export const FILE_REPLY = {
  'cache-control': 'How long a copy may be kept.',
  'content-encoding': '`gzip` where the client takes it.',
  vary: '`Accept-Encoding`.',
} as const;

/** The text, or its bytes as gzip. */
export const fileBody = z
  .custom<string | Uint8Array>((value) => typeof value === 'string' || value instanceof Uint8Array)
  .meta({ type: 'string' });

/** `header`: the value of `Accept-Encoding`. The weight of `gzip` decides; without it, that of `*`. */
export function takesGzip(header: string | undefined): boolean {
  const weights = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
