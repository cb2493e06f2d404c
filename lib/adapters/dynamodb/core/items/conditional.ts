import { isConditionFailure } from '../client.ts';

/** Null where the condition did not hold; any other failure is thrown. */
export async function conditional<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailure(error)) return null;
    throw error;
  }
}
