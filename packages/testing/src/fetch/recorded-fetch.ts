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

/** Answers the requests of user code from what was recorded. */
export interface RecordedFetch {
  readonly fetch: GuestFetch
  /** Requests that nothing was recorded for, with the way out. User code sees an error of its own making, so a test has to look here. */
  readonly unanswered: readonly string[]
  /** Writes what was recorded anew; without anything new, the file stays as it is. */
  save(): Promise<void>
}

export interface RecordedFetchOptions {
  /** A file of recordings, or answers by URL, or by method and URL: `POST https://api.example.com/users`. */
  readonly recordings: string | Readonly<Record<string, FetchReply>>
  /** Asks the network for what is not in the file, and adds it. */
  readonly isRecording?: boolean
  /** What may be asked while recording; any public host unless given. */
  readonly network?: FetchOptions
  /** Values that must not get into the file. */
  readonly credentials?: Readonly<Record<string, string>>
}

/** Why a host is refused that answers, is not known to whom it is refused. */
const wayOut =
  '; the second argument of withFetch says which hosts and addresses may be asked, any public host unless given'
/** As production bounds it. */
const requestBytesMax = 1024 * 1024
/** Headers that say nothing about the answer to user code, or hold what is somebody's. */
const unrecorded =
  /^(?:set-cookie|date|server|connection|keep-alive|content-length|content-encoding|transfer-encoding|etag|age|alt-svc|vary|via|cf-.*|x-.*)$/

/**
 * Opens recordings. A request is known by method, URL and body; where it was recorded several times, the answers come
 * one after the other, the last one from then on. A file that is not there holds nothing.
 * @throws Error when the file cannot be read as recordings.
 */
export async function openRecordedFetch(options: RecordedFetchOptions): Promise<RecordedFetch> {
  const { recordings, isRecording = false, credentials = {}, network = { allow: 'public' } } = options
  const file = typeof recordings === 'string' ? recordings : undefined
  const known = typeof recordings === 'string' ? await readRecordings(recordings) : repliesOf(recordings)
  const ask = isRecording && file !== undefined ? createGuestFetch(network) : undefined
  const added: FetchRecording[] = []
  const unanswered: string[] = []
  const answered = new Map<string, number>()

  const fetch: GuestFetch = async (url, request, signal) => {
    const { method, body } = parseFetchRequest(request, requestBytesMax)
    const wanted = {
      method,
      url: withoutSecrets(url, credentials),
      ...(body !== undefined && { body: withoutSecrets(body, credentials) }),
    }
    const matching = known.filter((recording) => isSame(recording, wanted))
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
      // Read again, one after the other: another test may add to it meanwhile.
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

/** The last save of each file; tests of one process may run side by side. Some bytes for each file, until it ends. */
const saves = new Map<string, Promise<void>>()

function repliesOf(replies: Readonly<Record<string, FetchReply>>): readonly FetchRecording[] {
  return Object.entries(replies).map(([key, { status = 200, headers = {}, body = null }]) => {
    const [, method = 'GET', url = key] = /^([A-Z]+) (.+)$/.exec(key) ?? []
    return { method: method === 'GET' && url === key ? anyMethod : method, url, status, headers, reply: body }
  })
}

/** Of an answer that was given for a URL alone. */
const anyMethod = '*'

function isSame(recording: FetchRecording, wanted: Pick<FetchRecording, 'method' | 'url' | 'body'>): boolean {
  if (recording.url !== wanted.url) return false
  if (recording.method === anyMethod) return true
  // Without a body it stands for any.
  return recording.method === wanted.method && (recording.body === undefined || recording.body === wanted.body)
}

function toRecording({ status, headers, text }: FetchedText, credentials: Readonly<Record<string, string>>) {
  const told = Object.entries(headers).filter(([name]) => !unrecorded.test(name))
  const named = told.map(([name, value]) => [name, withoutSecrets(String(value), credentials)])
  return { status, headers: Object.fromEntries(named), reply: toReply(withoutSecrets(text, credentials)) }
}

async function readRecordings(file: string): Promise<readonly FetchRecording[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw new Error(`${file} cannot be read (${error.code})`)
  })
  return parseRecordings(text, file)
}

/** A test that is broken off must not leave half a file. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const part = `${file}.${randomUUID()}`
  await writeFile(part, text)
  await rename(part, file)
}
