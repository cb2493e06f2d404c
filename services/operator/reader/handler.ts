// What operators may look at, behind a function URL of its own: IAM cannot tell the paths of one URL apart. Its role changes no
// merchant; it writes down who looked.
import { operatorHandler } from '../admin/handler.ts';

export const createHandler = (env: Parameters<typeof operatorHandler>[0]) =>
  operatorHandler(env, 'operator-reader');
