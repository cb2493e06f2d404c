// The kinds of personal data that a sender may put beside declared identity, and what removing one is called.

export const PERSONAL_KINDS = ['email', 'phone', 'person', 'card', 'iban', 'secret', 'national_id'] as const;
export type PersonalKind = (typeof PERSONAL_KINDS)[number];

/** The code of the issue that says what was removed. */
export type RemovalCode = `${PersonalKind}_removed`;

export const removalOf = (kind: PersonalKind): RemovalCode => `${kind}_removed`;

const REMOVALS: ReadonlySet<string> = new Set(PERSONAL_KINDS.map(removalOf));

export const isRemoval = (code: string): code is RemovalCode => REMOVALS.has(code);

const BY_NAME: ReadonlySet<PersonalKind> = new Set(['email', 'phone', 'person']);

/** Whether a merchant may let this kind through under a name: cards, secrets and national ids never pass. */
export const mayBeAllowed = (kind: PersonalKind): boolean => BY_NAME.has(kind);
