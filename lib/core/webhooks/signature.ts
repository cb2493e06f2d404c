// Signatures as https://www.standardwebhooks.com specifies them: HMAC-SHA256 over id, time and body, under each secret that
// is live. The body is signed as it is sent, byte for byte.
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const HINT_CHARS = 4;

/** `random`: [0, 1), from the machine's secure source. It has 47 bits: a byte of each is as good as any. */
export function newWebhookSecret(random: () => number): string {
  const bytes = Uint8Array.from({ length: SECRET_BYTES }, () => Math.floor(random() * 256));
  return PREFIX + Buffer.from(bytes).toString('base64');
}

/** What people may see of it later. */
export const secretHint = (secret: string): string => `…${secret.slice(-HINT_CHARS)}`;

/** What the vault binds a secret to. */
export const secretContext = (webhookId: string): string => `webhook-secret/${webhookId}`;

export interface SignedMessage {
  /** The same for each attempt: `msg_` and letters, digits, `_` and `-`. */
  readonly id: string;
  /** Of this attempt. */
  readonly atMs: number;
  readonly body: string;
  /** Those that are live, as they were given out. */
  readonly secrets: readonly string[];
}

export function signedHeaders({ id, atMs, body, secrets }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const content = `${id}.${timestamp}.${body}`;
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${mac(secret, content)}`).join(' '),
  };
}

const mac = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64');
