// What the functions of an operator read. docs/reference/environment.md is generated from this as well.
import * as z from 'zod';
import { SHARED_VARIABLES } from './environment.ts';

export const operatorEnvironment = z.object({
  CONFIG_TABLE: z.string().min(1).meta({ description: 'DynamoDB table of merchants, members and keys.' }),
  VAULT_KEY_ARN: SHARED_VARIABLES.VAULT_KEY_ARN,
  VAULT_KEY_FILE: SHARED_VARIABLES.VAULT_KEY_FILE,
  USER_POOL_ID: z.string().min(1).optional().meta({
    description:
      'Cognito user pool of the people who sign in; absent where another issuer signs their tokens.',
  }),
  OPERATORS_NAMED: z.enum(['true', 'false']).meta({
    description:
      'Whether a request is refused where AWS does not say who makes it. Emulators do not; every lasting deployment asks for it.',
  }),
  LOG_LEVEL: z.string().optional().meta({ description: 'Log lines below it are not written.' }),
});
