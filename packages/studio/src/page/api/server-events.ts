import { ApiError, pageHeaders } from './request.ts'

/** One message of a stream of server-sent events. */
interface ServerEvent {
  readonly event: string
  readonly data: string
}

/**
 * Reads a stream of server-sent events until it ends. `EventSource` cannot send the header of the page.
 * @param onOpen called when the server has accepted the request.
 * @throws ApiError when the server refuses or cannot be reached; the reason of `signal` when it aborts.
 */
export async function readServerEvents(
  path: string,
  onEvent: (event: ServerEvent) => void,
  signal: AbortSignal,
  onOpen: () => void = () => {},
): Promise<void> {
  const response = await fetch(path, { headers: pageHeaders, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new ApiError(0, 'unreachable', `The server cannot be reached (${error}).`)
  })
  if (!response.ok || response.body === null) {
    const { code, message } = Object(await response.json().catch(() => ({})))
    throw new ApiError(response.status, String(code), String(message))
  }
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block)
      if (event) onEvent(event)
    }
  }
}

/** Returns undefined for a comment, such as a heartbeat. */
function parseBlock(block: string): ServerEvent | undefined {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice('event: '.length)
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') }
}
