// What a platform is to do, as `expected.ts` in the folder of its name says it: written by hand from the vendor's documentation
// and never from the code, for the conformance suite holds the code against it. Data only.
import type { ConsentSignal } from '#lib/events/domain/event/consent.ts';
import type { EventName } from '#lib/events/domain/event/names.ts';
import type { ErrorKind } from '#lib/events/platforms/error-table.ts';

export interface PlatformExpectations {
  /**
   * The vendor's name of each event of the catalogue: `{name}` for the name as the shop sent it, `-` = not sent. Where a
   * connection carries an id of each event: the type the id is of. `otherwise`: of all others, with `{event}` for our name and
   * `{event_name}` for our name in snake case.
   */
  readonly eventNames: Readonly<Partial<Record<EventName | 'otherwise', string>>>;
  /**
   * The vendor's own list of names. Each, sent as `event_name`, comes back as it is where a path of the request first ends so; where
   * connections carry an id of each event (`at` null), the id of the event of this type goes.
   */
  readonly ownNames: {
    readonly at: string | null;
    readonly list: readonly string[];
    /** Names of the list that arrive as another one; say why beside each. */
    readonly otherwise?: Readonly<Record<string, string>>;
  };
  /**
   * What statements of consent do. A line applies where all its conditions hold; where several apply, their effects add
   * up; `withheld` goes before everything. A statement without a line changes nothing.
   */
  readonly consent: readonly (readonly [when: ConsentConditions, effect: ConsentEffect])[];
  /** Refusals of advertising that change nothing, since nothing there chooses ads; say why beside each. */
  readonly refusalsWithoutEffect?: readonly ConsentSignal[];
  readonly money: ExpectedMoney;
  readonly errors: ExpectedErrors;
  /** Below which objects the fields of a person are, and every field the vendor has there: any other one fails. */
  readonly person: Readonly<Record<PathPrefix, PersonFields>>;
  /** Fields whose vendor takes a plain value in the place of a digest; the source is in the README. */
  readonly plainToo?: readonly string[];
  /**
   * Only where the vendor publishes a schema, which the sandbox checks in full. `open`: paths of the objects in which it
   * takes anything, the empty path being the whole body; null = there is none.
   */
  readonly schema?: { readonly open: RegExp | null };
}

/** `signal=state`, states joined by `|` where any of them will do, conditions by a space. States: granted, denied, absent. */
type ConsentConditions = `${ConsentSignal}=${string}`;

/** `+ path: value` comes into the request, `- path` (or `- path: value`, while others stay there) goes out of it. */
type ConsentEffect = 'withheld' | `+ ${string}: ${string}` | `- ${string}`;

/** What the vendor's errors mean: at least one answer for each code of its table. */
export interface ExpectedErrors {
  /** How the vendor words it: as text, or what the JSON says. */
  readonly body: (status: number, code: string | number | undefined) => unknown;
  /** Codes as in the table; null = there is none. */
  readonly answers: readonly (readonly [
    status: number,
    codes: readonly (string | number | null)[],
    kind: ErrorKind,
  ])[];
}

/** The start of a path in the request's body; `[]` stands for the positions of a list. */
type PathPrefix = string;

/** Paths below a prefix, separated by spaces: of a SHA-256, of the value as it is, and of constants, with what they may be. */
interface PersonFields {
  readonly digest?: string;
  readonly plain?: string;
  readonly oneOf?: Readonly<Record<string, string>>;
}

/** A JSON number, its digits in a JSON string, or a JSON number of minor units. */
export type AmountForm = 'number' | 'text' | 'minor';

/** Where each amount goes, by path in the request's body, and as what. */
export interface ExpectedMoney {
  readonly value: readonly [string, ...string[]];
  readonly valueForm: AmountForm;
  readonly currency: string;
  /** Null: the vendor has no field for it. */
  readonly orderId: string | null;
  /** Null: items are not sent. */
  readonly items: ExpectedItems | null;
  /** Amounts that are worked out of those sent; a test in the folder says how. */
  readonly computed?: readonly string[];
}

export interface ExpectedItems {
  readonly id: string;
  readonly quantity: string;
  readonly quantityForm: AmountForm;
  /** Where only whole numbers are taken: any other quantity is left out, or all items with it. */
  readonly whole?: 'left out' | 'no items';
  readonly price: string;
  readonly priceForm: AmountForm;
  /** What the vendor takes of the words of an item; the others are not sent. */
  readonly words: Readonly<Partial<Record<'name' | 'brand' | 'category' | 'variant', string>>>;
}
