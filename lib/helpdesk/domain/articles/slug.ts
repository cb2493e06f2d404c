// The part of an address that stands for an article. Guarantees: letters, marks and digits of any script stay, in lower case;
// everything between them is one hyphen. Refuses nothing: a title without a letter or digit has no slug of its own.

/** With room for what makes it unique. */
const SLUG_MAX_CHARS = 190;
/** Beyond this many articles of one title the id decides. */
const NUMBERED_MAX = 20;

/** Empty where nothing of the title can stand in a slug. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    // A mark needs a letter to stand on.
    .replaceAll(/(^|-)\p{M}+/gu, '$1');
  const cut = [...words.replaceAll(/-+/g, '-').replace(/^-/, '')].slice(0, SLUG_MAX_CHARS).join('');
  return cut.replace(/-$/, '');
}

/** What to try in turn; the last one is the article's alone. `id`: a UUIDv7, whose end is random. */
export function slugCandidates(title: string, id: string): readonly string[] {
  const hex = id.replaceAll('-', '').slice(-8).toLowerCase();
  const slug = slugOf(title);
  if (slug === '') return [`article-${hex}`, `article-${id}`];
  const numbered = Array.from({ length: NUMBERED_MAX - 1 }, (_, i) => `${slug}-${i + 2}`);
  return [slug, ...numbered, `${slug}-${hex}`, `article-${id}`];
}
