// Origins of web pages, as a deployment lists them.

/** Reads a list of origins: `https://app.example, http://localhost:3000`. Throws with a sentence for anything else. */
export function parseOrigins(text: string): readonly string[] {
  const origins = text
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  for (const origin of origins) {
    if (!isOrigin(origin))
      throw new Error(
        `must be origins such as https://app.example, separated by commas; found ${origin.slice(0, 100)}`,
      );
  }
  return origins;
}

/** Exactly as a browser sends it; no pattern. */
export function isOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url?.origin === origin && /^https?:$/.test(url.protocol) && !url.hostname.includes('*');
}
