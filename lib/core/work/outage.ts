/** Something this service depends on cannot be reached, or is too busy: answered 503, never taken for a verdict. */
export class Outage extends Error {
  override readonly name = 'Outage';
}
