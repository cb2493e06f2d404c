// What is compared with what, and which differences are known. A difference nobody has explained fails the run, and so does
// an explanation that explains nothing.
import { revealed } from './digest-origins.ts';
import { compare, type Difference, type Fields } from './fields.ts';
import type { Order } from './order.ts';
import type { Refusal } from './our-request.ts';
import {
  documented,
  type Field,
  type IdentityPaths,
  isDocumented,
  isReadAtHome,
  signalRefused,
} from './rules.ts';

/** One side of a comparison: its fields, or why it sends nothing. */
export type Side = { readonly fields: Fields } | Refusal;

/** A known difference: where, when exactly, why, and who says so. */
export interface Allowance {
  readonly fields: readonly string[];
  /** What is different, in a few words; unique within the comparison. */
  readonly title: string;
  /** As narrow as can be said: true for this difference and for no other. */
  readonly when: (difference: Difference) => boolean;
  readonly reason: string;
  readonly source: string;
  /** YYYY-MM-DD on which the source was read. */
  readonly readOn: string;
}

export interface Comparison {
  /** Slug of our platform. */
  readonly platform: string;
  /** Package and version. */
  readonly peer: string;
  readonly ours: (order: Order) => Side;
  readonly theirs: (order: Order) => Promise<Side> | Side;
  readonly allowances: readonly Allowance[];
  /** Held against the vendor's documents in every order, also where both sides agree: both could be wrong. */
  readonly identifiers: IdentityPaths;
  /** True where the platform takes a field in company only, and the company is missing. */
  readonly leftOut?: (order: Order, field: Field) => boolean;
}

/** The one field of an order that only one side sends. */
export const SENDABLE = '(sent at all)';

export interface Findings {
  readonly comparison: Comparison;
  cases: number;
  /** Orders the platform is not to have, since the person refused: not compared. */
  withheld: number;
  fields: number;
  agreed: number;
  /** Identifiers that are what the vendor documents. */
  documented: number;
  readonly explained: Map<Allowance, number>;
  readonly unexplained: Difference[];
}

export async function findings(comparison: Comparison, orders: readonly Order[]): Promise<Findings> {
  const found: Findings = {
    comparison,
    cases: orders.length,
    withheld: 0,
    fields: 0,
    agreed: 0,
    documented: 0,
    explained: new Map(comparison.allowances.map((allowance) => [allowance, 0])),
    unexplained: [],
  };
  for (const order of orders) {
    const ours = comparison.ours(order);
    if (isWithheld(found, order, ours)) continue;
    const theirs = await comparison.theirs(order);
    if ('fields' in ours) holdAgainstDocuments(found, order, ours.fields);
    const { agreed, differences } = compareSides(order, ours, theirs);
    found.agreed += agreed;
    found.fields += agreed + differences.length;
    for (const difference of differences) {
      const allowance = comparison.allowances.find(
        ({ fields, when }) => fields.includes(difference.field) && when(difference),
      );
      if (allowance === undefined) found.unexplained.push(difference);
      else found.explained.set(allowance, (found.explained.get(allowance) ?? 0) + 1);
    }
  }
  return found;
}

/** Counts an order the platform is not to have. Where the consent it states says otherwise, that is unexplained. */
function isWithheld(found: Findings, order: Order, side: Side): boolean {
  const ours = 'fields' in side ? undefined : side.withheld;
  const theirs = signalRefused(order, found.comparison.platform);
  if (ours !== theirs) {
    const [oursPlain, theirsPlain] = [ours, theirs];
    found.unexplained.push({ order, field: '(withheld)', ours, theirs, oursPlain, theirsPlain });
  }
  if (ours === undefined) return false;
  found.withheld += 1;
  return true;
}

function holdAgainstDocuments(found: Findings, order: Order, ours: Fields): void {
  const { identifiers, leftOut } = found.comparison;
  for (const [path, [field, rule, plain]] of Object.entries(identifiers)) {
    const expected = leftOut?.(order, field) ? undefined : documented(order, field, rule, plain);
    // A platform with lists of places has them at the first.
    const value = ours[path.replaceAll('[]', '[0]')];
    const [oursPlain, theirsPlain] = [value, expected].map((text) =>
      typeof text === 'string' ? revealed(text) : text,
    );
    if (
      isDocumented(value, expected, plain) ||
      (field === 'phone' && isReadAtHome(order, String(oursPlain).replace('+', '')))
    ) {
      found.documented += 1;
    } else {
      found.unexplained.push({
        order,
        field: `${path}, documented`,
        ours: value,
        theirs: expected,
        oursPlain,
        theirsPlain,
      });
    }
  }
}

/** Explanations that explained nothing. */
export const unused = ({ explained }: Findings): readonly Allowance[] =>
  [...explained].filter(([, count]) => count === 0).map(([allowance]) => allowance);

function compareSides(order: Order, ours: Side, theirs: Side): ReturnType<typeof compare> {
  if ('fields' in ours && 'fields' in theirs) return compare(order, ours.fields, theirs.fields);
  if (!('fields' in ours) && !('fields' in theirs)) return { agreed: 1, differences: [] };
  const word = (side: Side): Fields => ({ [SENDABLE]: 'fields' in side ? 'sent' : side.refused });
  return compare(order, word(ours), word(theirs));
}
