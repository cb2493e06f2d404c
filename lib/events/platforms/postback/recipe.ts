// What a network's recipe says. One adapter makes requests of all of them.
import type { EventName } from '../../domain/event/names.ts';
import type { Decimal, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { BrowserIdKey } from '../../domain/identity/identity.ts';
import type { Fields } from '../answer.ts';
import type { EventIds } from '../credential-fields.ts';

/** What the recipes use of a connection. */
export interface Account {
  readonly network: string;
  readonly account_id?: string | undefined;
  readonly api_key?: string | undefined;
  readonly campaign_id?: string | undefined;
  readonly caller_id?: string | undefined;
  readonly region?: string | undefined;
  readonly event_ids?: EventIds | undefined;
}

export interface Conversion {
  readonly clickId: string | undefined;
  /** The network's name of the event. */
  readonly name: string;
  /** By what its conversions differ. */
  readonly id: string;
  readonly event: NormalizedEvent;
  readonly test: boolean;
}

export interface Recipe {
  readonly label: string;
  readonly docs: string;
  readonly clickId: BrowserIdKey;
  readonly needs: readonly Exclude<keyof Account, 'network'>[];
  /** Where the connection names none. */
  readonly names?: Readonly<Partial<Record<EventName, string>>>;
  /** A conversion without an amount is refused. */
  readonly needsMoney?: true;
  /** Absent: any. */
  readonly currencies?: ReadonlySet<string>;
  readonly idMaxChars?: number;
  /** A field of it keeps a test from being counted. */
  readonly takesTests?: true;
  readonly url: (account: Account) => string;
  readonly headers?: (account: Account) => Readonly<Record<string, string>>;
  /** As it stands in the header. */
  readonly secret?: (account: Account) => string;
  /** Parameters of a GET, or what a POST says in JSON. */
  readonly form: 'query' | 'json';
  readonly fields: (conversion: Conversion, account: Account) => Fields;
}

/** Amount and currency, where the event has both. */
export const moneyOf = ({ value, currency }: NormalizedEvent): { amount?: Decimal; currency?: string } =>
  value === undefined || currency === undefined ? {} : { amount: value, currency };
