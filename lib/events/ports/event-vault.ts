// What is personal about an event, sealed under the key of its merchant and UTC day of receipt. Once that key is deleted
// nobody opens it again: this is how personal data ends without a write to any row.

import type { PersonalPart } from '../domain/event/normalized-event.ts';
import type { NormalizedRow } from '../domain/event/row.ts';

/** What a sealed part is bound to: it opens for this acceptance only. */
export type SealedFor = Pick<NormalizedRow, 'key' | 'ingestId' | 'receivedAtMs'>;

export interface EventVault {
  /** Base64 ciphertext. */
  seal(row: SealedFor, personal: PersonalPart): Promise<string>;
  /** Null when the key of that day has been deleted. Throws `UnreadablePart` where the ciphertext is not what was sealed. */
  open(row: SealedFor, sealed: string): Promise<PersonalPart | null>;
  /** Of what else is known about a person. Base64 ciphertext. */
  sealText(of: SealedText, text: string): Promise<string>;
  /** As `open`. */
  openText(of: SealedText, sealed: string): Promise<string | null>;
}

/** What a sealed text is bound to. */
export interface SealedText {
  readonly merchantId: string;
  /** Of its kind and its own: no two texts of a merchant have the same. */
  readonly name: string;
  /** Under the key of its day. */
  readonly atMs: number;
}

/** The sealed part of one row is damaged, foreign, or of a newer format: the row's own fault, nobody else's. */
export class UnreadablePart extends Error {
  override readonly name = 'UnreadablePart';
}
