// Server-sent events out of bytes (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation,
// read 2026-11-22). Guarantees: where the network cuts the bytes changes nothing; time is linear in them. An event that was
// not finished by an empty line is not an event. Lines `retry` are for those who reconnect, which nobody does here.

export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The last one named, which later events keep. */
  readonly id: string;
}

export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let event = '';
  let data: string[] = [];
  let id = '';
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id };
      event = '';
      data = [];
      continue;
    }
    // A colon at the start is a comment: a field without a name.
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
  }
}

/** Whole lines; they end in LF, CR or both. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let afterCr = false;
  for await (const bytes of chunks) {
    let text = decoder.decode(bytes, { stream: true });
    if (text === '') continue;
    // The second half of a CRLF that was cut.
    if (afterCr && text.startsWith('\n')) text = text.slice(1);
    afterCr = text === '' ? false : text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    for (const line of lines.slice(0, -1)) {
      yield begun.join('') + line;
      begun = [];
    }
    begun.push(lines.at(-1) ?? '');
  }
}
