// E-mail addresses within a text. Pure, linear. Refuses `icon@2x.png`, `/@52.5,13.4` and names of packages.

const BEFORE = /[\p{L}\p{N}_+.%'"!#$&*^`{|}~-]/u;
const DOMAIN =
  /(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}(xn--[a-z\d-]{2,59}|\p{L}{2,24})(?![\p{L}\p{N}])/iuy;
const SCALED_IMAGE = /^\d(?:\.\d)?x\./i;
/** Ends of file names; of none of them are mailboxes known. */
const FILES: ReadonlySet<string> = new Set(
  'png jpg jpeg gif webp avif svg ico bmp css js mjs cjs json xml html htm php map woff ttf pdf txt'.split(
    ' ',
  ),
);

export function hasEmail(text: string): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at === 0 || !BEFORE.test(text.charAt(at - 1))) continue;
    DOMAIN.lastIndex = at + 1;
    const [domain, top] = DOMAIN.exec(text) ?? [];
    if (domain === undefined || top === undefined) continue;
    if (!FILES.has(top.toLowerCase()) && !SCALED_IMAGE.test(domain)) return true;
  }
  return false;
}
