// Instead of lib/adapters/dynamodb/core/client.ts.
import { outside } from './region.ts';

export const createDocumentClient = (): object => outside().dynamodb;

export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

export function isThrottled(error: unknown): boolean {
  return error instanceof Error && error.name === 'ProvisionedThroughputExceededException';
}
