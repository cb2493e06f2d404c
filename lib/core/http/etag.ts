// Entity tags and the conditions that callers set on them (RFC 9110, 8.8.3 and 13.1). Guarantees: If-Match compares
// strongly, so that nobody changes what they have not seen; If-None-Match weakly, which is enough to keep a copy.

/** What may stand in a tag: no quotes, no spaces, no commas, so that lists of tags can be read plainly. */
const OPAQUE = /^[\x21\x23-\x2b\x2d-\x7e]{1,200}$/;
const TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** Of a record in one version. */
export function etagOf(version: string | number): string {
  const text = String(version);
  if (!OPAQUE.test(text)) throw new Error(`${text} cannot be an entity tag`);
  return `"${text}"`;
}

/** True where the caller set no condition, or one that this record meets; a record that is not there meets none. */
export function meetsIfMatch(ifMatch: string | undefined, etag: string | null): boolean {
  if (ifMatch === undefined) return true;
  if (etag === null) return false;
  return ifMatch.trim() === '*' || tagsOf(ifMatch).includes(etag);
}

/** The one version that the caller wants to change; null for any, undefined where the condition cannot be met. */
export function wantedVersion(ifMatch: string | undefined): string | null | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  const [tag, ...others] = tagsOf(ifMatch);
  if (tag === undefined || others.length > 0 || tag.startsWith('W/')) return undefined;
  return TAG.exec(tag)?.[1];
}

/** True where the caller has this version already: 304. */
export function hasCopy(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string): string => tag.replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).map(strong).includes(strong(etag));
}

function tagsOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => TAG.test(tag));
}
