import type { Suspension } from '#lib/core/tenancy/suspension.ts';

/** What is in the way, and which field says so. */
export interface Refused {
  readonly refused: 'invalid' | 'conflict' | 'missing';
  readonly field: string;
  /** Goes on where the name of the field ends. */
  readonly sentence: string;
}

/** What is refused of a suspended merchant, or one that is removed. */
export const suspendedBy = ({ removal }: Suspension, field: string): Refused => ({
  refused: 'conflict',
  field,
  sentence:
    removal === undefined
      ? 'is of a suspended merchant: millrace merchants resume comes first'
      : `is of a merchant that ${removal.by} has removed, which cannot be undone`,
});

export const NO_MERCHANT: Refused = {
  refused: 'missing',
  field: 'merchant',
  sentence: 'is the id of none of this deployment: millrace merchants list names them',
};
