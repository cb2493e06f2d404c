// Addresses by which a mail finds its workspace and its ticket. `support+<workspace>@domain` opens tickets for any
// sender; `r+<workspace><ticket><mac>@domain` leads into one ticket: every sender who has it may write there, and the
// MAC keeps it from being forged. Guarantees: at most 64 characters before the @, and letter case means nothing, since
// mail servers change it. Refuses: workspaces whose id is no UUID.
import { timingSafeEqual } from 'node:crypto';

const SUPPORT = 'support+';
const REPLY = 'r+';
/** 36^25 > 2^128. */
const ID_LENGTH = 25;
/** 36^12 > 2^62: the first 62 bits of the MAC. */
const MAC_LENGTH = 12;
const MAC_BITS = 62n;
const ID_MAX = 2n ** 128n;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CODE = /^[0-9a-z]+$/;

export interface TicketRef {
  readonly workspaceId: string;
  readonly ticketId: string;
}

export type MailAddress =
  | { readonly kind: 'support'; readonly workspaceId: string }
  /** `mac` has not been checked. */
  | ({ readonly kind: 'reply'; readonly mac: string } & TicketRef);

/** Null if the workspace id is no UUID. */
export function supportAddress(workspaceId: string, domain: string): string | null {
  const code = codeOfId(workspaceId);
  return code === null ? null : `${SUPPORT}${code}@${domain}`;
}

/** `mac`: of `replyText`, at least 8 bytes. Null if an id is no UUID. */
export function replyAddress(key: TicketRef, mac: Uint8Array, domain: string): string | null {
  const [workspace, ticket] = [codeOfId(key.workspaceId), codeOfId(key.ticketId)];
  return workspace === null || ticket === null
    ? null
    : `${REPLY}${workspace}${ticket}${macText(mac)}@${domain}`;
}

/** What the MAC of a reply address is made of. */
export const replyText = ({ workspaceId, ticketId }: TicketRef): string =>
  JSON.stringify(['reply', workspaceId, ticketId]);

/** True if the address carries this MAC. Compares in constant time. */
export function isMac(given: string, mac: Uint8Array): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(macText(mac))];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Null for an address that is not ours. */
export function parseMailAddress(address: string, domain: string): MailAddress | null {
  const lower = address.toLowerCase();
  const suffix = `@${domain.toLowerCase()}`;
  if (!lower.endsWith(suffix)) return null;
  const local = lower.slice(0, -suffix.length);
  if (local.startsWith(SUPPORT)) {
    const workspaceId = idOfCode(local.slice(SUPPORT.length));
    return workspaceId === null ? null : { kind: 'support', workspaceId };
  }
  if (!local.startsWith(REPLY) || local.length !== REPLY.length + 2 * ID_LENGTH + MAC_LENGTH) return null;
  const [start, middle] = [REPLY.length, REPLY.length + ID_LENGTH];
  const workspaceId = idOfCode(local.slice(start, middle));
  const ticketId = idOfCode(local.slice(middle, middle + ID_LENGTH));
  if (workspaceId === null || ticketId === null) return null;
  return { kind: 'reply', workspaceId, ticketId, mac: local.slice(middle + ID_LENGTH) };
}

/** True for any address at the domain or below it. */
export function isOurDomain(address: string, domain: string): boolean {
  const at = address.toLowerCase().lastIndexOf('@');
  const host = address.toLowerCase().slice(at + 1);
  return at >= 0 && (host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`));
}

function codeOfId(id: string): string | null {
  const lower = id.toLowerCase();
  if (!UUID.test(lower)) return null;
  return BigInt(`0x${lower.replaceAll('-', '')}`)
    .toString(36)
    .padStart(ID_LENGTH, '0');
}

function idOfCode(code: string): string | null {
  if (code.length !== ID_LENGTH || !CODE.test(code)) return null;
  const value = [...code].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  if (value >= ID_MAX) return null;
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function macText(mac: Uint8Array): string {
  if (mac.byteLength < 8) throw new RangeError('a MAC of fewer than 8 bytes proves nothing');
  const bits = Buffer.from(mac).readBigUInt64BE() >> (64n - MAC_BITS);
  return bits.toString(36).padStart(MAC_LENGTH, '0');
}

// The code of a reply address: what it is made of, and under which use of the workspace's key.

export const REPLY_MAC_CONTEXT = 'helpdesk reply address';
