// Origins of web pages, as a deployment lists them.

/** Reads a list of origins: `https://app.example, http://localhost:3000`. Throws with a sentence for anything else. */
export function parseOrigins(text: string): readonly string[] {
  const origins = text
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  for (const origin of origins) {
    const url = URL.parse(origin);
    if (url?.origin !== origin || !/^https?:$/.test(url.protocol) || url.hostname.includes('*'))
      throw new Error(
        `must be origins such as https://app.example, separated by commas; found ${origin.slice(0, 100)}`,
      );
  }
  return origins;
}
