// Promise: credentials open for their own merchant and platform only; a connection is read every time, its credentials are
// opened once.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Connection } from '../../domain/connections/connection.ts';
import type { Platform } from '../../platforms/platform.ts';
import { createConnections, openCredentials, sealCredentials } from './open-connection.ts';

const MERCHANT = '8f14e45f-ceea-467f-a111-000000000001';
const META = {
  slug: 'meta',
  credentials: z.strictObject({ access_token: z.string() }),
} as unknown as Platform;

/** Seals to a readable text that opens under the same merchant and context only; counts what it opens. */
function plainVault() {
  let opened = 0;
  return {
    seal: async (merchantId: string, context: string, text: string) =>
      JSON.stringify([merchantId, context, text]),
    open: async (merchantId: string, context: string, sealed: string) => {
      const [owner, purpose, text] = JSON.parse(sealed) as [string, string, string];
      if (owner !== merchantId || purpose !== context) throw new Error('sealed for somebody else');
      opened += 1;
      return text;
    },
    opened: () => opened,
  };
}

async function connected(vault: ReturnType<typeof plainVault>, credentials: unknown): Promise<Connection> {
  return {
    id: 'con_1',
    merchantId: MERCHANT,
    platform: 'meta',
    name: 'Meta',
    status: 'active',
    createdAtMs: 0,
    updatedAtMs: 0,
    revision: 1,
    sinceVersion: 1,
    sealedCredentials: await sealCredentials(vault, MERCHANT, 'meta', credentials),
  };
}

describe('credentials', () => {
  it('come back as they were entered', async () => {
    const vault = plainVault();
    const connection = await connected(vault, { access_token: 'ä "token"' });
    expect(await openCredentials(vault, connection, META)).toEqual({ access_token: 'ä "token"' });
  });

  it('of an earlier release are as their platform upgrades them, and no other platform', async () => {
    const vault = plainVault();
    const connection = await connected(vault, { api_version: 'v1', access_token: 'token' });
    const upgradeCredentials = ({ access_token }: Readonly<Record<string, unknown>>) => ({ access_token });
    const upgrading = { ...META, upgradeCredentials } as Platform;
    expect(await openCredentials(vault, connection, upgrading)).toEqual({ access_token: 'token' });
    for (const other of [META, undefined])
      expect(await openCredentials(vault, connection, other)).toHaveProperty('api_version');
    const connections = createConnections({ config: { connection: async () => connection }, vault });
    expect((await connections.get(MERCHANT, upgrading))?.credentials).toEqual({ access_token: 'token' });
  });

  it.each([{ platform: 'tiktok' }, { merchantId: '8f14e45f-ceea-467f-a111-000000000002' }])(
    'do not open for %j',
    async (other) => {
      const vault = plainVault();
      const connection = await connected(vault, { access_token: 'token' });
      await expect(openCredentials(vault, { ...connection, ...other }, META)).rejects.toThrow(
        'somebody else',
      );
    },
  );
});

describe('connections', () => {
  it('are read every time, and opened once until their credentials change', async () => {
    const vault = plainVault();
    let stored: Connection | null = await connected(vault, { access_token: 'first' });
    const connections = createConnections({ config: { connection: async () => stored }, vault });
    expect((await connections.get(MERCHANT, META))?.credentials).toEqual({ access_token: 'first' });
    stored = { ...stored, status: 'paused' };
    expect((await connections.get(MERCHANT, META))?.connection.status).toBe('paused');
    expect(vault.opened()).toBe(1);
    stored = await connected(vault, { access_token: 'second' });
    expect((await connections.get(MERCHANT, META))?.credentials).toEqual({ access_token: 'second' });
    expect(vault.opened()).toBe(2);
    stored = null;
    expect(await connections.get(MERCHANT, META)).toBeNull();
  });

  it('refuse credentials that the platform asks more of by now', async () => {
    const vault = plainVault();
    const stored = await connected(vault, {});
    const connections = createConnections({ config: { connection: async () => stored }, vault });
    await expect(connections.get(MERCHANT, META)).rejects.toThrow();
  });
});
