/** How a person is named: at least one of these. */
export const FIELDS = ['email', 'phone', 'external_id'] as const;
type Name = (typeof FIELDS)[number];
export type Typed = Readonly<Record<Name, string>>;
export const EMPTY: Typed = { email: '', phone: '', external_id: '' };

export const LABELS = {
  email: ['E-mail', 'The address, or its SHA-256.'],
  phone: ['Phone', 'With + and the country code, or its SHA-256.'],
  external_id: ['External id', 'As your events name the customer, or its SHA-256.'],
} as const satisfies Readonly<Record<Name, readonly [string, string]>>;

/** Those that say something. */
export const wordsIn = (typed: Typed): Partial<Typed> =>
  Object.fromEntries(
    FIELDS.flatMap((name) => {
      const word = typed[name].trim();
      return word === '' ? [] : [[name, word]];
    }),
  );
