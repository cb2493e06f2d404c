// Where a text stops being JSON (RFC 8259): what browsers say of it differs, and often names no place. Linear, and as deep as the
// text is.

const TOKEN =
  /([{}[\],:])|("(?:[ -!#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|true|false|null/y;
const BLANK = /[ \t\r\n]*/y;

/** Index of the first character that cannot stand where it stands; the length where the text ends too early. */
export function placeOfProblem(text: string): number {
  const open: string[] = [];
  // What may come next: v a value, k a name, or the sign itself.
  let wanted = 'v';
  const afterValue = (): string => (open.length === 0 ? '' : open.at(-1) === '{' ? ',}' : ',]');
  for (let at = 0; ; ) {
    BLANK.lastIndex = at;
    BLANK.test(text);
    at = BLANK.lastIndex;
    TOKEN.lastIndex = at;
    const [token, sign, string] = TOKEN.exec(text) ?? [];
    if (token === undefined) return at;
    const isName = string !== undefined && wanted.includes('k');
    if (!wanted.includes(isName ? 'k' : sign === undefined || '{['.includes(sign) ? 'v' : sign)) return at;
    at += token.length;
    if (isName) wanted = ':';
    else if (sign === '{' || sign === '[') {
      open.push(sign);
      wanted = sign === '{' ? 'k}' : 'v]';
    } else if (sign === ':') wanted = 'v';
    else if (sign === ',') wanted = open.at(-1) === '{' ? 'k' : 'v';
    else {
      if (sign !== undefined) open.pop();
      wanted = afterValue();
    }
  }
}
