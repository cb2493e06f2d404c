// A connection's credentials: sealed when they are entered, opened when a request is built. The connection is read every
// time, so that a removed, paused or replaced one is noticed at once; only the decryption is remembered.

import type { Vault } from '#lib/core/ports/vault.ts';
import type { Connection } from '../../domain/connections/connection.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { ConnectionStore } from '../../ports/connection-store.ts';

const REMEMBERED_MAX = 1_000;

/** A connection with its credentials opened and checked against the platform's schema. */
export interface OpenConnection {
  readonly connection: Connection;
  readonly credentials: unknown;
}

export interface Connections {
  /** Null where the merchant has no connection to this platform (any more) in this place; the first where none is said. */
  get(
    merchantId: string,
    platform: Platform,
    slot?: string,
    config?: Pick<ConnectionStore, 'connection'>,
  ): Promise<OpenConnection | null>;
}

export function createConnections(ports: {
  readonly config: Pick<ConnectionStore, 'connection'>;
  readonly vault: Pick<Vault, 'open'>;
}): Connections {
  const opened = new Map<string, unknown>();
  return {
    async get(merchantId, platform, slot = platform.slug, config = ports.config) {
      const connection = await config.connection(merchantId, slot);
      if (connection === null) return null;
      const id = `${merchantId}/${platform.slug}/${connection.sealedCredentials}`;
      if (!opened.has(id)) {
        const credentials = await openCredentials(ports.vault, connection, platform);
        if (opened.size >= REMEMBERED_MAX) opened.clear();
        opened.set(id, platform.credentials.parse(credentials));
      }
      return { connection, credentials: opened.get(id) };
    },
  };
}

/** What a connection's credentials are sealed for: they open for no other merchant and no other platform. */
export const credentialsContext = (platform: string): string => `credentials/${platform}`;

/** Base64, as a connection keeps them. */
export async function sealCredentials(
  vault: Pick<Vault, 'seal'>,
  merchantId: string,
  platform: string,
  credentials: unknown,
): Promise<string> {
  return await vault.seal(merchantId, credentialsContext(platform), JSON.stringify(credentials));
}

/** As they were entered, or its platform upgrades them; not checked. Throws when the vault cannot open them. */
export async function openCredentials(
  vault: Pick<Vault, 'open'>,
  { merchantId, platform: slug, sealedCredentials }: Connection,
  /** Undefined where there is none any more. */
  platform: Pick<Platform, 'upgradeCredentials'> | undefined,
): Promise<unknown> {
  const opened: unknown = JSON.parse(
    await vault.open(merchantId, credentialsContext(slug), sealedCredentials),
  );
  if (platform?.upgradeCredentials === undefined || typeof opened !== 'object' || opened === null)
    return opened;
  return platform.upgradeCredentials(opened as Readonly<Record<string, unknown>>);
}
