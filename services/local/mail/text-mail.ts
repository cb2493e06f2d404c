// A mail of plain text as it is on its way: headers as RFC 2047 writes them, text in UTF-8.

/** `headers`: those of its own, a line each. */
export function textMail(headers: readonly string[], text: string): Buffer {
  const lines = [
    ...headers,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

export const encodedWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
