// A merchant's connections to platforms. Guarantees: every change is one conditional write to one item.
import type {
  Circuit,
  Connection,
  EveryConnection,
  FailedCall,
  OwnRules,
  PauseReason,
} from '../domain/connections/connection.ts';
import type { PlatformPause } from '../domain/connections/paused-platform.ts';

/** A connection as the caller wants it: the store decides whether it is new. */
export interface ConnectionDraft {
  readonly merchantId: string;
  readonly platform: string;
  readonly own?: OwnRules;
  /** Used when the platform was not connected before; a connection keeps its id for life. */
  readonly newId: string;
  readonly name: string;
  readonly sealedCredentials: string;
}

/** What is to be another: what is absent stays. */
export interface ConnectionChange {
  readonly name?: string;
  /** Close the circuit as well: what kept failing may have been the old ones' doing. */
  readonly sealedCredentials?: string;
  /** Null: that of the platform. */
  readonly apiVersion?: string | null;
  /** Null takes it off pause. */
  readonly pause?: PauseReason | null;
  /** Null takes it away. Either is another version of the routing. */
  readonly events?: NonNullable<OwnRules['events']> | null;
  readonly consent?: NonNullable<OwnRules['consent']> | null;
}

export interface PlatformPauseStore {
  /** A consistent read. */
  platformPauses(): Promise<readonly PlatformPause[]>;
  /** The one that holds then, and whether this call began it. */
  pausePlatform(pause: PlatformPause): Promise<{ readonly pause: PlatformPause; readonly isNew: boolean }>;
  /** The one that this call ended; null where there was none. */
  resumePlatform(slug: string, atMs: number, by: string): Promise<PlatformPause | null>;
}

export interface ConnectionStore {
  /** `slot`: target.ts. Throws where the one in it cannot be read. */
  connection(merchantId: string, slot: string): Promise<Connection | null>;
  /** The same for any of the merchant's places, by one read. */
  connectionsOf(merchantId: string): Promise<(slot: string) => Connection | null>;
  /** Pauses the connection if it is active and its credentials are still the ones seen. */
  pauseConnection(
    seen: Connection,
    reason: PauseReason,
    nowMs: number,
    failedCall?: FailedCall,
  ): Promise<boolean>;
  /**
   * Opens, moves or closes (null) the circuit of a connection, if it stands as it was seen. Of several callers one succeeds.
   * Closed, it is one of the outages that are over.
   */
  setCircuit(seen: Connection, circuit: Circuit | null, nowMs: number): Promise<boolean>;
  /** Moves the next probe of a connection that is paused for `auth`, if it stands as it was seen. Of several callers one succeeds. */
  moveProbe(seen: Connection, atMs: number): Promise<boolean>;
  /** Writes down what an answer said about the end of the version, if nothing was since the connection was seen. */
  noteDeprecation(seen: Connection, said: string, nowMs: number): Promise<boolean>;
  /** In the order of their platforms' slugs, those of a platform in that of their places. */
  listConnections(merchantId: string): Promise<readonly Connection[]>;
  /** Connects the platform, or replaces credentials and name of its connection, the first of several, and takes it off pause. */
  putConnection(
    draft: ConnectionDraft,
    nowMs: number,
  ): Promise<{ readonly connection: Connection; readonly created: boolean }>;
  /** The first connection to the platform; null where it has one. */
  createConnection(draft: ConnectionDraft, nowMs: number): Promise<Connection | null>;
  /** One more connection to the platform, in its first free place; null where there are as many as may be. */
  addConnection(draft: ConnectionDraft, nowMs: number): Promise<Connection | null>;
  /** The connection after the change; null when it is not the one that was seen any more, by its id and revision. */
  changeConnection(seen: Connection, change: ConnectionChange, nowMs: number): Promise<Connection | null>;
  /** With the last `REMOVED_MAX` that were removed. */
  everyConnection(merchantId: string): Promise<EveryConnection>;
  /**
   * What was removed; null when this merchant has no connection of this id. `account`: what named its destination, kept with
   * its name.
   */
  deleteConnection(
    merchantId: string,
    connectionId: string,
    removal: { readonly atMs: number; readonly account?: string | undefined },
  ): Promise<Connection | null>;
}

export interface CredentialStore {
  /** Those that can be read. */
  connections(merchantId: string): Promise<readonly Connection[]>;
  /** False where its credentials are not the ones that were seen any more. */
  putCredentials(seen: Connection, sealed: string): Promise<boolean>;
}
