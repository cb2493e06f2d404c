// What it takes to add `user_data.loyalty_id`, hashed, and to send it to Pinterest: each place with its edit, and whatever says
// that the place was forgotten.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Edit {
  readonly path: string;
  /** What stands there once, and what follows it then. */
  readonly after: string;
  readonly add: string;
}

/** The field and the wish for it. */
export const WISH: readonly Edit[] = [
  {
    path: 'lib/events/domain/event/event.ts',
    after: '    ctwa_clid: loose(),\n',
    add: '    loyalty_id: loose(),\n',
  },
  {
    path: 'lib/events/platforms/pinterest/user-data.ts',
    after: '    external_id: hashed.externalIds,\n',
    add: '    loyalty_id: list(hashed.loyaltyId),\n',
  },
];

export const DIGEST: Edit = {
  path: 'lib/events/domain/identity/identity.ts',
  after: '  readonly madid?: Sha256Hex;\n',
  add: '  /** Trimmed and lowercased. */\n  readonly loyaltyId?: Sha256Hex;\n',
};

export const FACTS: Edit = {
  path: 'lib/events/domain/identity/field-facts.ts',
  after: "  ctwa_clid: { isHiddenInLogs: true, raw: ['ctwaClid'], counted: [] },\n",
  add: "  loyalty_id: { isHiddenInLogs: true, hashed: ['loyaltyId'], counted: [] },\n",
};

/** Lists that follow the digest or the field by their types. */
export const TYPED: readonly Edit[] = [
  {
    path: 'lib/adapters/vault/hashed-codec.ts',
    after: '  genderOrN: 23,\n',
    add: '  loyaltyId: 24,\n',
  },
  {
    path: 'lib/events/pipeline/erasure/subject.ts',
    after: '  madid: null,\n',
    add: '  loyaltyId: null,\n',
  },
  {
    path: 'services/events/api/events/sample-person.ts',
    after: "  customer_id: 'millrace-test',\n",
    add: "  loyalty_id: 'millrace-test-card',\n",
  },
  {
    path: 'services/dashboard/src/pages/events/rules/rule-words.ts',
    after: "  'user_data.ctwa_clid': true,\n",
    add: "  'user_data.loyalty_id': true,\n",
  },
  {
    path: 'test/support/sample-event.ts',
    after: "  madid: sha256('6d92078a-8246-4ba4-ae5b-76104861e7dc'),\n",
    add: "  loyaltyId: sha256('card-7'),\n",
  },
  {
    path: 'test/conformance/fields/identity-lists.test.ts',
    after: 'const HASHED: Readonly<Record<keyof HashedIdentity, Followed>> = {\n',
    add: "  loyaltyId: { dropped: 'user_data.loyalty_id', known: null },\n",
  },
];

/** Reads the field and makes its digest. */
export const NORMALIZER: readonly Edit[] = [
  {
    path: 'lib/events/domain/identity/identifiers.ts',
    after: '  addMadid(draft);\n',
    add: [
      "  const card = readHashable(draft, 'loyalty_id', draft.userData.loyalty_id, true);",
      '  if (card !== null) draft.hashed.loyaltyId = card.digest ?? sha256(card.text.toLowerCase());\n',
    ].join('\n'),
  },
];

/** The rule in words, and the whole person of its test. */
export const RULE: readonly Edit[] = [
  {
    path: 'lib/events/domain/identity/variants.ts',
    after: "  ctwa_clid: { ctwaClid: 'Trimmed, as sent.' },\n",
    add: "  loyalty_id: { loyaltyId: 'Trimmed and lowercased; SHA-256.' },\n",
  },
  {
    path: 'lib/events/domain/identity/normalize.test.ts',
    after: "  ctwa_clid: '5',\n",
    add: "  loyalty_id: '6',\n",
  },
];

/** What the vendor takes, from its documentation. */
export const EXPECTED: Edit = {
  path: 'test/platforms/pinterest/expected.ts',
  after: 'country[] external_id[]',
  add: ' loyalty_id[]',
};

/** Each text must be there exactly once: an edit that goes nowhere would prove nothing. */
export function apply(root: string, ...edits: readonly Edit[]): void {
  for (const { path, after, add } of edits) {
    const text = readFileSync(join(root, path), 'utf8');
    if (text.split(after).length !== 2) throw new Error(`${path}: ${after} is not there once`);
    writeFileSync(
      join(root, path),
      text.replace(after, () => `${after}${add}`),
    );
  }
}
