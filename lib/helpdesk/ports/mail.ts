// What the helpdesk's workers ask of whoever carries mails, and of where raw mails lie.
import type { InboundMail } from '../domain/mail/inbound-mail.ts';
import type { ComposedMail } from '../domain/mail/outbound-mail.ts';

/** What came of asking a provider to send one mail. */
export type SendOutcome =
  | {
      readonly kind: 'accepted';
      /** What the provider calls it. */
      readonly providerId: string;
      /** `Message-ID` under which the customer sees it, with its angle brackets. */
      readonly messageId: string;
    }
  /** It was not taken. `isFinal`: asked again, the provider would say the same. */
  | { readonly kind: 'refused'; readonly isFinal: boolean; readonly error: string }
  /** It may have been taken. */
  | { readonly kind: 'unknown'; readonly error: string };

export interface MailSender {
  /** Asks once, never by itself again. Resolves always. `tags` come back with whatever the provider tells of this mail. */
  send(mail: {
    readonly raw: Uint8Array;
    readonly to: string;
    readonly tags: Readonly<Record<string, string>>;
  }): Promise<SendOutcome>;
  /** The `Message-ID` of what the provider calls so. */
  messageIdOf(providerId: string): Promise<string>;
}

export type MailComposer = (mail: ComposedMail) => Promise<Uint8Array>;

/** Null for what is no mail, or nested deeper than anybody writes. */
export type MailParser = (raw: Uint8Array) => Promise<InboundMail | null>;

export interface StoredObject {
  readonly bytes: Uint8Array;
  /** ms, whole seconds. */
  readonly storedAtMs: number;
}

/** Raw mails, by key. */
export interface ObjectStore {
  /** Null where there is none; `too large` where it has more than so many bytes, which are not read. */
  read(key: string, maxBytes: number): Promise<StoredObject | 'too large' | null>;
  /** The first bytes of it, and as many as these at most; null where there is none. */
  readStart(key: string, maxBytes: number): Promise<StoredObject | null>;
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  remove(key: string): Promise<void>;
}
