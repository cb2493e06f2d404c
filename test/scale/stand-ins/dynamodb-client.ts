// Instead of lib/adapters/dynamodb/core/client.ts.
import type { DocumentClientOptions } from '#lib/adapters/dynamodb/core/client.ts';
import { outside } from './region.ts';

export const createDocumentClient = ({ attempts = 3 }: DocumentClientOptions = {}): object =>
  outside().dynamodb(attempts);

export function isThrottled(error: unknown): boolean {
  return error instanceof Error && error.name === 'ProvisionedThroughputExceededException';
}
