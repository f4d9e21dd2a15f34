/** One server-sent event. */
interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** Longest event in characters, so that another kind of stream cannot fill the memory. */
const eventLengthMax = 1_000_000

/** Reads server-sent events in the form Sluice writes them: one `event` and one `data` line each. Skips comments. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fieldOf = (field: string): string | undefined =>
        lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2)
      const data = fieldOf('data')
      if (data !== undefined) yield { name: fieldOf('event') ?? 'message', data }
    }
    if (text.length > eventLengthMax) throw new RangeError('this is no stream of events')
  }
}
