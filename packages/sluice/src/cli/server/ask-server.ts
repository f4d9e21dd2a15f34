import { isJsonObject, type JsonObject } from '@sluice/core'
import { printableLines } from '@sluice/core/printable'
import { type Command, Option } from 'commander'
import { CliError } from '../cli-error.ts'

export interface ServerFlags {
  readonly url: string
  readonly token?: string
  readonly json?: true
  /** Time limit for an answer, milliseconds; default a minute. */
  readonly timeMs?: number
}

/** The server refused a request. */
export class ServerRefusal extends CliError {
  /** Error code of the answer, '' when it had none. */
  readonly code: string
  /** Details of the answer, {} when it had none. */
  readonly details: JsonObject
  /** Address of the page that explains the code; undefined when the answer had none. */
  readonly docs: string | undefined

  constructor(message: string, code: string, details: JsonObject, docs: string | undefined) {
    super(message)
    this.code = code
    this.details = details
    this.docs = docs
  }
}

/** Default time limit for an answer. */
const defaultTimeMs = 60_000

/**
 * Adds what a command needs to talk to a running server.
 * @param json what the command prints with --json, for its help.
 */
export function withServerFlags(command: Command, json = 'one JSON value'): Command {
  return command
    .addOption(new Option('--url <url>', 'URL of the server').env('SLUICE_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--token <token>', 'access token; safer in the environment variable').env('SLUICE_TOKEN'))
    .addOption(new Option('--profile <name>', 'profile of sluice login that has both').env('SLUICE_PROFILE'))
    .option('--json', `print ${json}`)
    .hook('preAction', async (_, action) => (await import('./profiles/fill-from-profile.ts')).fillFromProfile(action))
}

/**
 * Sends a request to a running server and returns its JSON answer, undefined for an answer without a body, or whose body is
 * the text `Created`.
 * @param revision that a record must have, for a change or a deletion.
 * @throws CliError with the server's message when the request fails.
 */
export async function askServer<Answer = unknown>(
  flags: ServerFlags,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  revision?: number,
): Promise<Answer> {
  const response = await request(flags, path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
    },
    signal: AbortSignal.timeout(flags.timeMs ?? defaultTimeMs),
  })
  if (response.status === 204) return undefined as Answer
  const isText = response.headers.get('content-type')?.startsWith('text/plain')
  if (response.status === 201 && isText) return undefined as Answer
  const answer: unknown = await response.json().catch(() => undefined)
  if (answer !== undefined) return answer as Answer
  throw new CliError(`${flags.url} did not answer with JSON; is it a Sluice server?`)
}

/**
 * Opens an event stream of a running server.
 * @throws CliError with the server's message when the request fails.
 */
export async function openServer(
  flags: ServerFlags,
  path: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { body, headers } = await request(flags, path, { signal })
  if (body && headers.get('content-type')?.startsWith('text/event-stream')) return body
  throw new CliError(`${flags.url} did not answer with an event stream; is it a Sluice server?`)
}

async function request(
  { url, token }: ServerFlags,
  path: string,
  init: Pick<RequestInit, 'method' | 'body' | 'signal'> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  if (!token)
    throw new CliError('give an access token: SLUICE_TOKEN, --token or sluice login (sluice token create makes one)')
  if (!URL.canParse(path, url)) throw new CliError(`${url} is not the URL of a server`)
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  const response = await fetch(new URL(path, url), { ...init, headers }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new CliError(`${url} does not answer (${cause}); is the server running?`)
  })
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => undefined)
  const { message = '', code = '', details, docs } = isJsonObject(answer) ? answer : {}
  const text = `${url} answered ${response.status}${message ? `: ${printableLines(String(message))}` : ''}`
  throw new ServerRefusal(text, String(code), isJsonObject(details) ? details : {}, docsAddress(url, docs))
}

/** Returns the address of a page of the server; undefined when the answer is of something else than a Sluice server. */
function docsAddress(url: string, path: unknown): string | undefined {
  return typeof path === 'string' && /^\/docs\/errors\/[\w.]+$/.test(path) ? new URL(path, url).href : undefined
}

/** Returns the address of the page about the refusal that an error is, or was caused by. */
export function docsOf(error: unknown): string | undefined {
  if (error instanceof ServerRefusal) return error.docs
  return error instanceof CliError && error.cause !== undefined ? docsOf(error.cause) : undefined
}
