// The id of a contact follows from its workspace and its address, so that of many who create it at once one does.
import { createHash } from 'node:crypto';

/** Never changes: every contact's id depends on it. */
const NAMESPACE = '98a43b5a-2fbf-4d95-8421-f94e3a247339';

/** UUIDv5 of the workspace and the lower-cased address. The same person has another id in every workspace. */
export function contactIdOf(workspaceId: string, email: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    // No address holds a line break, so that no two pairs give the same text.
    .update(`${workspaceId}\n${email.toLowerCase()}`)
    .digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
