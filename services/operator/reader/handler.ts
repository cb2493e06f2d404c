// What operators may look at, behind a function URL of its own: IAM knows no paths of a URL. Its role changes no
// merchant; it writes down who looked.
import { operatorHandler } from '../admin/handler.ts';

export const createHandler = (env: Parameters<typeof operatorHandler>[0]) =>
  operatorHandler(env, 'operator-reader');
