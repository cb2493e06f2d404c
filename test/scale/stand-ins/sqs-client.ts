// Instead of lib/adapters/sqs/client.ts.
import { outside } from './region.ts';

export const createSqsClient = (): object => outside().sqs;
