// Buckets beside emulators that run already: those need have none. In memory, as the queues of the host's own emulators are.
import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import { REGION } from '../stack/references.ts';
import { withConditionalWrites } from './conditional-writes.ts';

export interface Buckets {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

export async function openBuckets(): Promise<Buckets> {
  const app = withConditionalWrites(buildApp({ logger: false, defaultRegion: REGION }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
