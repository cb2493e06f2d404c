// Versions of the packages compared with, as pinned in package.json.
import { createRequire } from 'node:module';

const { dependencies } = createRequire(import.meta.url)('./package.json') as {
  readonly dependencies: Readonly<Record<string, string>>;
};

export const peerName = (name: string): string => `${name} ${dependencies[name] ?? ''}`;
export const SEGMENT = peerName('@segment/action-destinations');
export const PEERS: readonly string[] = [
  peerName('capi-param-builder-nodejs'),
  peerName('facebook-nodejs-business-sdk'),
  SEGMENT,
];
