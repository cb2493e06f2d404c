// Whether a text is an IP address, as RFC 791 and RFC 4291 write it. Refuses ports, brackets, zone ids (`%eth0`: they
// mean something on one host only) and lists.

function isDecimalOctet(part: string): boolean {
  if (part.length === 0 || part.length > 3 || (part.length > 1 && part.startsWith('0'))) return false;
  for (let index = 0; index < part.length; index += 1) {
    const code = part.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return Number(part) <= 255;
}

function isIpv4(text: string): boolean {
  if (text.length > 15) return false;
  const parts = text.split('.');
  return parts.length === 4 && parts.every(isDecimalOctet);
}

const GROUP = /^[0-9a-fA-F]{1,4}$/;

/** Number of 16-bit groups in one side of `::`, or -1 when one is malformed. A dotted quad may only come last. */
function countGroups(side: string, quadAllowed: boolean): number {
  if (side === '') return 0;
  const groups = side.split(':');
  const last = groups.at(-1) ?? '';
  const hasQuad = quadAllowed && isIpv4(last);
  if (!(hasQuad ? groups.slice(0, -1) : groups).every((group) => GROUP.test(group))) return -1;
  return groups.length + (hasQuad ? 1 : 0);
}

function isIpv6(text: string): boolean {
  if (text.length < 2 || text.length > 45) return false;
  const gap = text.indexOf('::');
  if (gap === -1) return countGroups(text, true) === 8;
  const before = countGroups(text.slice(0, gap), false);
  const after = countGroups(text.slice(gap + 2), true);
  return before >= 0 && after >= 0 && before + after <= 7;
}

/** True for an IPv4 or IPv6 address and nothing around it. */
export function isIp(text: string): boolean {
  return text.includes(':') ? isIpv6(text) : isIpv4(text);
}
