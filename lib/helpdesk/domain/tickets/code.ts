const DIGITS_MIN = 6;

/** What people call a ticket: `TKT-000042`. Longer where the number is. */
export const ticketCodeOf = (prefix: string, number: number): string =>
  `${prefix}-${String(number).padStart(DIGITS_MIN, '0')}`;
