import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  createGuestFetch,
  type FetchedText,
  type FetchOptions,
  type GuestFetch,
  parseFetchRequest,
} from '@sluice/sandbox'
import {
  type FetchRecording,
  type FetchReply,
  parseRecordings,
  replyText,
  toReply,
  withoutSecrets,
} from './fetch-recording.ts'

/** Answers the requests of user code from recordings. */
export interface RecordedFetch {
  readonly fetch: GuestFetch
  /**
   * Requests without a recording, with advice. User code may handle the error itself, so tests must check this list.
   */
  readonly unanswered: readonly string[]
  /** Writes new recordings. The file is not touched if there are none. */
  save(): Promise<void>
}

export interface RecordedFetchOptions {
  /** A file of recordings, or responses by URL, or by method and URL: `POST https://api.example.com/users`. */
  readonly recordings: string | Readonly<Record<string, FetchReply>>
  /** Another file of recordings, for requests that `recordings` does not answer. It is never written. */
  readonly sharedFile?: string
  /** Fetches missing responses from the network and adds them. */
  readonly isRecording?: boolean
  /** What may be fetched while recording. Default: any public host. */
  readonly network?: FetchOptions
  /** Values that must not be written to the file. */
  readonly credentials?: Readonly<Record<string, string>>
}

/** Added to refusals, because user code does not see why a host was refused. */
const wayOut =
  '; any public host may be asked, unless the second argument of withFetch (in test files) or --fetch-allow (for cases in folders) names others; an address that is not public needs allowAddresses or --fetch-address'
/** Same limit as in production. */
const requestBytesMax = 1024 * 1024
/** Headers that do not affect user code, or are confidential. */
const unrecorded =
  /^(?:set-cookie|date|server|connection|keep-alive|content-length|content-encoding|transfer-encoding|etag|age|alt-svc|vary|via|cf-.*|x-.*)$/

/**
 * Opens recordings. A request is identified by method, URL and body. If it was recorded several times, the responses
 * are returned one after another, and then the last one is repeated. A missing file counts as empty.
 * @throws Error when the file is not a valid recording.
 */
export async function openRecordedFetch(options: RecordedFetchOptions): Promise<RecordedFetch> {
  const { recordings, isRecording = false, credentials = {}, network = { allow: 'public' } } = options
  const file = typeof recordings === 'string' ? recordings : undefined
  const known = typeof recordings === 'string' ? await readRecordings(recordings) : repliesOf(recordings)
  const shared = options.sharedFile === undefined ? [] : await readRecordings(options.sharedFile)
  const ask = isRecording && file !== undefined ? createGuestFetch(network) : undefined
  const added: FetchRecording[] = []
  const unanswered: string[] = []
  const answered = new Map<string, number>()

  const fetch: GuestFetch = async (url, request, signal) => {
    const { method, body } = parseFetchRequest(request, requestBytesMax)
    const wanted = {
      method,
      url: withoutSecrets(url, credentials),
      body: body !== undefined ? withoutSecrets(body, credentials) : undefined,
    }
    const own = known.filter((recording) => isSame(recording, wanted))
    const matching = own.length > 0 ? own : shared.filter((recording) => isSame(recording, wanted))
    const key = JSON.stringify(wanted)
    const times = answered.get(key) ?? 0
    const recording = matching[Math.min(times, matching.length - 1)]
    answered.set(key, times + 1)
    if (recording)
      return { url, status: recording.status, headers: recording.headers, text: replyText(recording.reply) }
    if (ask) {
      const fetched = await ask(url, request, signal).catch((error: Error) => {
        unanswered.push(
          `${method} ${wanted.url} cannot be recorded: ${withoutSecrets(error.message, credentials)}${wayOut}`,
        )
        throw error
      })
      added.push({ ...wanted, ...toRecording(fetched, credentials) })
      return fetched
    }
    const message = `no answer is recorded for ${method} ${wanted.url}${file === undefined ? '' : ` in ${file}`}`
    unanswered.push(
      `${message}; ${file === undefined ? `give one for ${wanted.url}` : 'run sluice test --record (or set SLUICE_RECORD=1) to ask the network once and add it'}`,
    )
    throw new Error(message)
  }
  return {
    fetch,
    unanswered,
    async save() {
      if (file === undefined || added.length === 0) return
      const own = added.splice(0)
      // The file is read again, one save after another, because another test may have added to it.
      const saving = (saves.get(file) ?? Promise.resolve()).then(async () => {
        const all = [...(await readRecordings(file)), ...own]
        await writeWhole(file, `${JSON.stringify(all, null, 2)}\n`)
      })
      saves.set(
        file,
        saving.catch(() => {}),
      )
      await saving
    },
  }
}

/**
 * The last save of each file, because tests of one process may run concurrently. Some bytes per file, never removed.
 */
const saves = new Map<string, Promise<void>>()

function repliesOf(replies: Readonly<Record<string, FetchReply>>): readonly FetchRecording[] {
  return Object.entries(replies).map(([key, { status = 200, headers = {}, body = null }]) => {
    const [, method = 'GET', url = key] = /^([A-Z]+) (.+)$/.exec(key) ?? []
    return { method: method === 'GET' && url === key ? anyMethod : method, url, status, headers, reply: body }
  })
}

/** Method of a response that was given for a URL alone. */
const anyMethod = '*'

function isSame(recording: FetchRecording, wanted: Pick<FetchRecording, 'method' | 'url' | 'body'>): boolean {
  if (recording.url !== wanted.url) return false
  if (recording.method === anyMethod) return true
  // A recording without a body matches any body.
  return recording.method === wanted.method && (recording.body === undefined || recording.body === wanted.body)
}

function toRecording({ status, headers, text }: FetchedText, credentials: Readonly<Record<string, string>>) {
  const kept = Object.entries(headers).filter(([name]) => !unrecorded.test(name))
  const named = kept.map(([name, value]) => [name, withoutSecrets(String(value), credentials)])
  return { status, headers: Object.fromEntries(named), reply: toReply(withoutSecrets(text, credentials)) }
}

async function readRecordings(file: string): Promise<readonly FetchRecording[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw new Error(`${file} cannot be read (${error.code})`)
  })
  return parseRecordings(text, file)
}

/** Written to another file first, so that an interrupted test does not leave half a file. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const part = `${file}.${randomUUID()}`
  await writeFile(part, text)
  await rename(part, file)
}
