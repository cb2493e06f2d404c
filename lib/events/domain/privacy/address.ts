// An address without what is personal in it: user and password, parameters, parts of path and fragment. Pure, total,
// linear. Guarantees: where nothing is found, the very same text; what is left parses as before; applied again, no change.
import { couldOpen } from './field-name.ts';
import { type Findings, kindOfNamed, type OwnDigests } from './named-value.ts';
import { actsForPerson } from './secret.ts';
import { kindInText } from './text.ts';

/** `[removed]` as it may stand in a path (RFC 3986). */
const REMOVED_PART = '%5Bremoved%5D';
const HEAD = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i;
const OPAQUE = /^(?:mailto|tel|sms|data|javascript|about|blob):/i;
/** What the address does: `?invite=…`. */
const ACTING_PARAMETER = /[?&](?:reset|verify|invite|invitation|magic|magic_link|activate)=/i;
/** More belong to no shop, and each costs. */
const PARAMETERS_MAX = 500;

/** `allowed`: names of parameters in lowercase. Adds to `findings`. */
export function withoutPersonalParts(
  address: string,
  allowed: ReadonlySet<string>,
  findings: Findings,
  own: OwnDigests = new Map(),
): string {
  const { head, path, query, fragment } = partsOf(address);
  const bareHead = withoutUser(head, findings);
  const look: Look = { allowed, findings, own, acts: ACTING_PARAMETER.test(query) };
  const inQuery = { ...look, acts: look.acts || path.split('/').some(isActing) };
  const kept = [
    bareHead,
    gatedPath(path, look),
    gatedQuery(query, inQuery),
    gatedFragment(fragment, inQuery),
  ].join('');
  return kept === address ? address : kept;
}

const isActing = (segment: string): boolean => segment.length > 4 && actsForPerson(segment);

interface Look {
  readonly allowed: ReadonlySet<string>;
  readonly findings: Findings;
  readonly own: OwnDigests;
  readonly acts: boolean;
}

/** Query and fragment begin with their sign; empty where there is none. */
function partsOf(address: string) {
  const hash = address.indexOf('#');
  const main = hash < 0 ? address : address.slice(0, hash);
  const mark = main.indexOf('?');
  const hierarchy = mark < 0 ? main : main.slice(0, mark);
  const [head = ''] = HEAD.exec(hierarchy) ?? OPAQUE.exec(hierarchy) ?? [];
  return {
    head,
    path: hierarchy.slice(head.length),
    query: mark < 0 ? '' : main.slice(mark),
    fragment: hash < 0 ? '' : address.slice(hash),
  };
}

function withoutUser(head: string, { kinds }: Findings): string {
  const at = head.lastIndexOf('@');
  if (at < 0) return head;
  kinds.add('secret');
  return head.slice(0, head.indexOf('//') + 2) + head.slice(at + 1);
}

/** A token counts as one after a segment that acts: `/reset-password/<token>`. */
function gatedPath(path: string, { findings, own, acts }: Look): string {
  if (path === '') return path;
  let tokens = acts;
  return path
    .split('/')
    .map((segment) => {
      const digestOf = own.get(segment.toLowerCase()) ?? null;
      const kind = segment === '' ? null : (digestOf ?? kindInText(segment, { actsForPerson: tokens }));
      if (isActing(segment)) tokens = true;
      if (kind === null) return segment;
      findings.kinds.add(kind);
      return REMOVED_PART;
    })
    .join('/');
}

function gatedQuery(query: string, look: Look): string {
  if (query.length < 2) return query;
  const parts = query.slice(1).split('&');
  const kept = keptOf(parts, look);
  if (kept.length === parts.length) return query;
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/** Either a list of parameters (`#access_token=…`), or the path of a page in one document, with a query of its own. */
function gatedFragment(fragment: string, look: Look): string {
  if (fragment.length < 2) return fragment;
  const mark = fragment.indexOf('?');
  const first = fragment.slice(1, mark < 0 ? undefined : mark);
  const rest = mark < 0 ? '' : gatedQuery(fragment.slice(mark), look);
  if (!first.includes('=')) return `#${gatedPath(first, look)}${rest}`;
  const kept = keptOf(first.split('&'), look).join('&');
  return kept === '' && rest === '' ? '' : `#${kept}${rest}`;
}

function keptOf(parts: readonly string[], look: Look): readonly string[] {
  if (parts.length > PARAMETERS_MAX) look.findings.kinds.add('secret');
  const signsIn = isSignIn(parts);
  return parts.slice(0, PARAMETERS_MAX).filter((part) => {
    if (!signsIn || !part.startsWith('code=')) return isKept(part, look);
    look.findings.kinds.add('secret');
    return false;
  });
}

/** OAuth's answer (RFC 6749, 4.1.2): `code` opens an account. The `state` beside a discount code is one of a country. */
const isSignIn = (parts: readonly string[]): boolean =>
  parts.some((part) => part.startsWith('code=') && part.length > 5) &&
  parts.some((part) => part.startsWith('state=') && couldOpen(part.slice(6)));

function isKept(part: string, { allowed, findings, own, acts }: Look): boolean {
  if (part.length < 4) return true;
  const equals = part.indexOf('=');
  const name = equals < 0 ? part : part.slice(0, equals);
  const value = equals < 0 ? '' : part.slice(equals + 1);
  const kind = kindOfNamed({ name, value, allowed, findings, own, actsForPerson: acts });
  if (kind !== null) findings.kinds.add(kind);
  return kind === null;
}
