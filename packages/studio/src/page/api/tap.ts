import { ApiError } from './request.ts'
import { readServerEvents } from './server-events.ts'

/** What happened to one event, as `GET /v1/tap` shows it. */
export interface TapEntry {
  readonly at: string
  readonly sourceId: string
  readonly destinationId?: string
  readonly messageId: string
  readonly type: string
  readonly event: string
  readonly outcome: 'accepted' | 'delivered' | 'deferred' | 'dropped' | 'failed'
  readonly stage: string
  readonly reason?: string
  readonly code?: string
  /** Milliseconds since the event was accepted. */
  readonly tookMs?: number
}

type TapMessage =
  | { readonly kind: 'entries'; readonly entries: readonly TapEntry[] }
  /** Entries that the server did not send, because there were more than one can follow. */
  | { readonly kind: 'leftOut'; readonly count: number }
  | { readonly kind: 'state'; readonly isOpen: boolean; readonly problem?: string }

/** What tabs say to each other. One that was opened later asks the one that reads for what came before. */
type TabMessage =
  | TapMessage
  | { readonly kind: 'ask' }
  | { readonly kind: 'earlier'; readonly isOpen: boolean; readonly entries: readonly TapEntry[] }

const perSecond = 1_000
/** Entries of so many milliseconds travel between tabs together. */
const togetherMs = 50
const reconnectMs = { first: 500, longest: 5_000 }
/** Entries that come first: those that the server remembers, or the tab that reads. */
const earlierMax = 200
const lockName = 'sluice-tap'

/**
 * Watches what happens to events, until `signal` aborts; the last 200 entries come first. Of all tabs of this browser, one reads the stream of the server and
 * passes it on to the others; when it is closed or hidden, another one continues. A browser opens only few connections to
 * a server, and the server shows events to few watchers.
 */
export function watchTap(onMessage: (message: TapMessage) => void, signal: AbortSignal): void {
  const channel = new BroadcastChannel(lockName)
  const recent = new RecentEntries()
  let isReading = false
  let isOpen = false
  const tell = (message: TapMessage): void => {
    // What is read again after a lost connection is known already.
    const fresh = message.kind === 'entries' ? { ...message, entries: recent.add(message.entries) } : message
    if (message.kind === 'state') isOpen = message.isOpen
    onMessage(fresh)
    channel.postMessage(fresh)
  }
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'ask') {
      if (isReading) channel.postMessage({ kind: 'earlier', isOpen, entries: recent.newest(earlierMax) })
    } else if (data.kind === 'earlier') {
      onMessage({ kind: 'state', isOpen: data.isOpen })
      onMessage({ kind: 'entries', entries: recent.add(data.entries) })
    } else onMessage(data.kind === 'entries' ? { ...data, entries: recent.add(data.entries) } : data)
  }
  channel.postMessage({ kind: 'ask' })
  let turn = new AbortController()
  const lead = (): void => {
    if (signal.aborted || document.visibilityState !== 'visible') return
    turn = new AbortController()
    const own = AbortSignal.any([signal, turn.signal])
    navigator.locks
      .request(lockName, { signal: own }, async () => {
        isReading = true
        await readUntilAborted(tell, own)
        isReading = false
      })
      .catch((error: unknown) => {
        if (!own.aborted) onMessage({ kind: 'state', isOpen: false, problem: String(error) })
      })
  }
  const onVisibility = (): void => {
    turn.abort()
    lead()
  }
  document.addEventListener('visibilitychange', onVisibility)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', onVisibility)
    channel.close()
  })
  lead()
}

/** The newest entries, each once. */
class RecentEntries {
  readonly #entries = new Map<string, TapEntry>()

  /** @returns those that are new. */
  add(entries: readonly TapEntry[]): readonly TapEntry[] {
    const fresh = entries.filter((entry) => !this.#entries.has(keyOf(entry)))
    for (const entry of fresh) this.#entries.set(keyOf(entry), entry)
    const excess = this.#entries.size - 10 * earlierMax
    if (excess > 0) for (const key of [...this.#entries.keys()].slice(0, excess)) this.#entries.delete(key)
    return fresh
  }

  newest(count: number): readonly TapEntry[] {
    return [...this.#entries.values()].slice(-count)
  }
}

function keyOf({ at, messageId, destinationId = '', outcome }: TapEntry): string {
  return `${at} ${outcome} ${destinationId} ${messageId}`
}

async function readUntilAborted(tell: (message: TapMessage) => void, signal: AbortSignal): Promise<void> {
  let waitMs = reconnectMs.first
  while (!signal.aborted) {
    try {
      await readOnce(tell, signal, () => (waitMs = reconnectMs.first))
    } catch (error) {
      if (signal.aborted) return
      const problem = error instanceof ApiError ? error.message : String(error)
      tell({ kind: 'state', isOpen: false, problem })
    }
    await sleep(waitMs, signal)
    waitMs = Math.min(waitMs * 2, reconnectMs.longest)
  }
}

async function readOnce(tell: (message: TapMessage) => void, signal: AbortSignal, onOpen: () => void): Promise<void> {
  let waiting: TapEntry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    if (waiting.length > 0) tell({ kind: 'entries', entries: waiting })
    waiting = []
  }
  const opened = (): void => {
    onOpen()
    tell({ kind: 'state', isOpen: true })
  }
  await readServerEvents(
    `/v1/tap?perSecond=${perSecond}&last=${earlierMax}`,
    ({ event, data }) => {
      if (event === 'leftOut') tell({ kind: 'leftOut', count: (JSON.parse(data) as { count: number }).count })
      if (event !== 'entry') return
      waiting.push(JSON.parse(data) as TapEntry)
      timer ??= setTimeout(flush, togetherMs)
    },
    signal,
    opened,
  ).finally(() => {
    clearTimeout(timer)
    flush()
  })
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
