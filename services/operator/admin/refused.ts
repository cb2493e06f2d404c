/** What is in the way, and which field says so. */
export interface Refused {
  readonly refused: 'invalid' | 'conflict' | 'missing';
  readonly field: string;
  /** Goes on where the name of the field ends. */
  readonly sentence: string;
}

export const NO_MERCHANT: Refused = {
  refused: 'missing',
  field: 'merchant',
  sentence: 'is the id of none of this deployment: millrace merchants list names them',
};
