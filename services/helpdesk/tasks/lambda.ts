// Entry point in AWS: the same function the embedded host runs, fed by Lambda.
import { createHandler } from './handler.ts';

export const handler = await createHandler(process.env);
