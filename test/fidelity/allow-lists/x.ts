// Known differences with what X documents.
import type { Allowance } from '../comparison.ts';
import { readAtHome } from './allowance.ts';

export const X_IDENTIFIERS = {
  'identifiers.hashed_email': ['email', 'email'],
  'identifiers.hashed_phone_number': ['phone', 'phonePlus'],
} as const;

export const X_ALLOWANCES: readonly Allowance[] = [readAtHome('identifiers.hashed_phone_number')];
