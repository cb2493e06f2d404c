// How large DynamoDB says an item is, in the native values of the document client. The bill is in units of this size.
type Item = Readonly<Record<string, unknown>>;

/**
 * Bytes DynamoDB counts for an item: names and values
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html, read 2026-11-21).
 */
export function itemSizeBytes(item: Item | undefined): number {
  let sizeBytes = 0;
  for (const [name, value] of Object.entries(item ?? {}))
    if (value !== undefined) sizeBytes += Buffer.byteLength(name) + valueSizeBytes(value);
  return sizeBytes;
}

function valueSizeBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return numberSizeBytes(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set)
    return [...value].reduce<number>((sum, member) => sum + valueSizeBytes(member), 0);
  // Three bytes for the list or map, one more for each element.
  if (Array.isArray(value)) return value.reduce((sum: number, member) => sum + 1 + valueSizeBytes(member), 3);
  if (typeof value === 'object') return 3 + Object.keys(value).length + itemSizeBytes(value as Item);
  throw new Error(`a value of type ${typeof value} cannot be stored`);
}

/** A byte for two significant digits, one for the exponent, one for a minus. */
function numberSizeBytes(value: number | bigint): number {
  const [mantissa = ''] = String(value).toLowerCase().split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return 1 + Math.ceil(digits.length / 2) + (value < 0 ? 1 : 0);
}
