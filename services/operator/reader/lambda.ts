// Entry point in AWS, fed by Lambda.
import { createHandler } from './handler.ts';

export const handler = await createHandler(process.env);
