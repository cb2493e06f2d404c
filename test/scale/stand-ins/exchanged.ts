// Modules of the product that reach outside → their stand-ins in this folder.
export const EXCHANGED: Readonly<Record<string, string>> = {
  'lib/adapters/dynamodb/core/client.ts': 'dynamodb-client.ts',
  'lib/adapters/sqs/client.ts': 'sqs-client.ts',
  'lib/adapters/clock/system-clock.ts': 'system-clock.ts',
  'lib/adapters/http/transport.ts': 'transport.ts',
  'lib/adapters/vault/choose-wrapper.ts': 'choose-wrapper.ts',
};
