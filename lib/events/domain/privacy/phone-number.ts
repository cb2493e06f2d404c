// Phone numbers within a text: with `+` and a country code of the ITU's list (E.164), or under a name that says phone.
// Lengths are loose: what could be a number is taken for one. Pure, linear.

const DIGITS_MIN = 7;
const DIGITS_MAX = 15;

/** Digits after the country code. Other codes of three digits: 7 to 10. https://www.itu.int/oth/T0202.aspx?parent=T0202 */
const LENGTHS: ReadonlyMap<string, readonly [number, number]> = new Map(
  (
    '7:10-10 20:8-10 27:9-9 30:10-10 31:9-9 32:8-9 33:9-9 34:9-9 36:8-9 39:8-11 40:9-9 41:9-9 43:7-13 44:9-10 45:8-8 46:7-10 ' +
    '47:8-8 48:9-9 49:7-12 51:8-9 52:10-11 53:8-8 54:10-11 55:10-11 56:9-9 57:10-10 58:10-10 60:8-10 61:9-9 62:8-12 63:8-10 ' +
    '64:8-10 65:8-8 66:8-9 81:9-10 82:8-11 84:9-10 86:10-11 90:10-10 91:10-10 92:9-10 93:9-9 94:9-9 95:7-10 98:10-10 358:6-11'
  )
    .split(' ')
    .map((entry) => {
      const [code = '', min = 0, max = 0] = entry.split(/[:-]/);
      return [code, [Number(min), Number(max)]];
    }),
);
const LONG_CODE =
  /^(?:2[1-6]\d|29[0179]|35\d|37\d|38[0-35-79]|42[013]|50\d|59\d|67[02-9]|68\d|69[0-2]|85[02356]|88[06]|96\d|97[0-7]|99[2-68])/;
const AMERICAN = /^1[2-9]\d{2}[2-9]\d{6}$/;
const TRUNK_ZERO = /\(0\)/;
const NUMBER = /\+\(?[1-9][\d .()/-]{6,30}/y;
const LOCAL_NUMBER = /^[\d+][\d .()/+-]{5,24}\d$/;

/** True for a `+` that does not follow a letter or digit, with a number that exists by country and length. */
export function hasPhone(text: string): boolean {
  for (let at = text.indexOf('+'); at >= 0; at = text.indexOf('+', at + 1)) {
    if (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) continue;
    NUMBER.lastIndex = at;
    const [found] = NUMBER.exec(text) ?? [];
    if (found !== undefined && startsWithPhone(found.replace(TRUNK_ZERO, ''))) return true;
  }
  return false;
}

/** Another number may follow the phone after a blank: each end of a group is tried. */
function startsWithPhone(text: string): boolean {
  let digits = '';
  for (const group of text.match(/\d+/g) ?? []) {
    digits += group;
    if (digits.length > DIGITS_MAX) return false;
    if (isInternational(digits)) return true;
  }
  return false;
}

function isInternational(digits: string): boolean {
  if (digits.startsWith('1')) return AMERICAN.test(digits);
  for (const length of [1, 2, 3]) {
    const range = LENGTHS.get(digits.slice(0, length));
    const rest = digits.length - length;
    if (range !== undefined) return rest >= range[0] && rest <= range[1];
  }
  return LONG_CODE.test(digits) && digits.length >= 10 && digits.length <= 13;
}

/** What stands under a name that says phone, with or without country code. */
export function isPhoneValue(value: string): boolean {
  const text = value.trim();
  if (!LOCAL_NUMBER.test(text)) return false;
  const count = text.replace(/\D/g, '').length;
  return count >= DIGITS_MIN && count <= DIGITS_MAX;
}
