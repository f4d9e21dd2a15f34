import type { Handler } from './documented.ts'

export interface TapReader {
  readonly status: number
  /** Entries received so far, in order. */
  readonly entries: Readonly<Record<string, unknown>>[]
  readonly leftOut: () => number
  /** The received text, unchanged. */
  readonly text: () => string
  /** Resolves when the server has ended the response. */
  readonly ended: Promise<void>
  leave(): Promise<void>
}

/** Watches `GET /v1/tap`, or another stream of entries, of a handler in this process. */
export async function openTap(
  sluice: Handler,
  query = '',
  authorization = 'Bearer operate',
  path = '/v1/tap',
): Promise<TapReader> {
  const response = await sluice.fetch(new Request(`http://x${path}${query}`, { headers: { authorization } }))
  const reader = response.body?.getReader()
  const entries: Readonly<Record<string, unknown>>[] = []
  let leftOut = 0
  let text = ''
  const decoder = new TextDecoder()
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      const chunk = decoder.decode(value)
      text += chunk
      // Earlier entries come in one piece.
      for (const [, name, data = '{}'] of chunk.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)) {
        if (name === 'entry') entries.push(JSON.parse(data))
        if (name === 'leftOut') leftOut += JSON.parse(data).count
      }
    }
  }
  const ended = response.ok ? read() : Promise.resolve()
  return {
    status: response.status,
    entries,
    leftOut: () => leftOut,
    text: () => text,
    ended,
    leave: async () => reader?.cancel(),
  }
}
