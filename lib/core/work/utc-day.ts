/** UTC day of a time in milliseconds, `YYYY-MM-DD`: sorts as time does. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
