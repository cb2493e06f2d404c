// What lists say of how many there are.

/** The header that a total which is not exact comes with. */
export const capped = ({ isCapped }: { readonly isCapped: boolean }): { 'x-total-capped'?: string } =>
  isCapped ? { 'x-total-capped': 'true' } : {};

export const tooFar = (path: string) =>
  ({
    failure: 'invalid_request',
    details: [{ path, message: 'must not lie beyond the first 10000 records' }],
  }) as const;
