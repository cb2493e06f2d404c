// An encrypted cursor: where the next page of a list starts. Guarantees: a cursor is valid only for the workspace, the
// list and the filters it was made for, and cannot be forged or changed. It is encrypted under the workspace's own key:
// there is no extra secret.
import { hash } from 'node:crypto';
import type * as z from 'zod';
import type { Vault } from '#lib/core/ports/vault.ts';

export interface SealedCursor<Position> {
  write(workspaceId: string, filters: unknown, position: Position): Promise<string>;
  /** Null if it is not a cursor of this list with these filters. Throws if the vault cannot be reached. */
  read(workspaceId: string, filters: unknown, cursor: string): Promise<Position | null>;
}

const BASE64URL = /^[A-Za-z0-9_-]{1,600}$/;

export function createSealedCursor<Position>(
  list: string,
  position: z.ZodType<Position>,
  vault: Vault,
): SealedCursor<Position> {
  const contextOf = (filters: unknown): string =>
    `helpdesk-cursor|${list}|${hash('sha256', JSON.stringify(filters) ?? '', 'hex')}`;
  return {
    async write(workspaceId, filters, at) {
      const sealed = await vault.seal(workspaceId, contextOf(filters), JSON.stringify(at));
      return Buffer.from(sealed, 'base64').toString('base64url');
    },
    async read(workspaceId, filters, cursor) {
      if (!BASE64URL.test(cursor)) return null;
      const context = contextOf(filters);
      const sealed = Buffer.from(cursor, 'base64url').toString('base64');
      let opened: string;
      try {
        opened = await vault.open(workspaceId, context, sealed);
      } catch {
        // The vault works, so the cursor is not one of ours.
        await vault.seal(workspaceId, context, '');
        return null;
      }
      const read = position.safeParse(JSON.parse(opened));
      return read.success ? read.data : null;
    },
  };
}
