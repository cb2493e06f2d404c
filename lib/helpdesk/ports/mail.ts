// Ports of the helpdesk's workers for sending mails and for storing raw mails.
import type { InboundMail } from '../domain/mail/inbound-mail.ts';
import type { ComposedMail } from '../domain/mail/outbound-mail.ts';

/** The result of asking a provider to send one mail. */
export type SendOutcome =
  | {
      readonly kind: 'accepted';
      /** The provider's id. */
      readonly providerId: string;
      /** `Message-ID` under which the customer sees it, with its angle brackets. */
      readonly messageId: string;
    }
  /** The provider did not take it. `isFinal`: asking again would give the same answer. */
  | { readonly kind: 'refused'; readonly isFinal: boolean; readonly error: string }
  /** It may have been taken. */
  | { readonly kind: 'unknown'; readonly error: string };

export interface MailSender {
  /** Asks once, without retries. Never rejects. The provider repeats `tags` in every notice about this mail. */
  send(mail: {
    readonly raw: Uint8Array;
    readonly to: string;
    readonly tags: Readonly<Record<string, string>>;
  }): Promise<SendOutcome>;
  /** The `Message-ID` for a provider's id. */
  messageIdOf(providerId: string): Promise<string>;
}

export type MailComposer = (mail: ComposedMail) => Promise<Uint8Array>;

/** Null if it is not a mail, or is nested deeper than real mails are. */
export type MailParser = (raw: Uint8Array) => Promise<InboundMail | null>;

export interface StoredObject {
  readonly bytes: Uint8Array;
  /** ms, whole seconds. */
  readonly storedAtMs: number;
}

/** Raw mails, by key. */
export interface ObjectStore {
  /** Null if the key does not exist; `too large` if it has more than `maxBytes`, which are not read. */
  read(key: string, maxBytes: number): Promise<StoredObject | 'too large' | null>;
  /** Its first `maxBytes` at most; null if the key does not exist. */
  readStart(key: string, maxBytes: number): Promise<StoredObject | null>;
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  remove(key: string): Promise<void>;
}
