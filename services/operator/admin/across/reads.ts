/** Operations that change nothing: the command asks the function of readers for these. */
export const READS: ReadonlySet<string> = new Set([
  'merchants/list',
  'merchants/show',
  'merchants/read',
  'merchants/row',
  'merchants/end',
  'people/list',
  'platforms/paused',
  'status/due',
  'status/trouble',
]);
