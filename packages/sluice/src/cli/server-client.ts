import { isJsonObject, type JsonObject } from '@sluice/core'
import { type Command, Option } from 'commander'
import { CliError } from './cli-error.ts'
import { printableLines } from './printable.ts'

export interface ServerFlags {
  readonly url: string
  readonly token?: string
  readonly json?: true
}

/** The server understood and did not do it. */
export class ServerRefusal extends CliError {
  /** Of its answer, '' when that had none. */
  readonly code: string
  /** What it told beside; {} when that is nothing. */
  readonly details: JsonObject

  constructor(message: string, code: string, details: JsonObject) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** Answers that take longer are given up. */
const timeMs = 60_000

/** Adds what a command needs to talk to a running server. */
export function withServerFlags(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'of the server').env('SLUICE_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--token <token>', 'an access token; better in the environment').env('SLUICE_TOKEN'))
    .option('--json', 'print one JSON value')
}

/**
 * Asks a running server.
 * @throws CliError with what it answered when that is no success.
 */
export async function askServer<Answer = unknown>(
  flags: ServerFlags,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await request(flags, path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    signal: AbortSignal.timeout(timeMs),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (answer !== undefined) return answer as Answer
  throw new CliError(`${flags.url} answered something else than JSON; is it a Sluice server?`)
}

/**
 * Opens a stream of events of a running server.
 * @throws CliError with what it answered when that is none.
 */
export async function openServer(
  flags: ServerFlags,
  path: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { body, headers } = await request(flags, path, { signal })
  if (body && headers.get('content-type')?.startsWith('text/event-stream')) return body
  throw new CliError(`${flags.url} answered something else than a stream of events; is it a Sluice server?`)
}

async function request(
  { url, token }: ServerFlags,
  path: string,
  init: Pick<RequestInit, 'method' | 'body' | 'signal'> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  if (!token) throw new CliError('give an access token: SLUICE_TOKEN, or --token (sluice token create makes one)')
  if (!URL.canParse(path, url)) throw new CliError(`${url} is no address of a server`)
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  const response = await fetch(new URL(path, url), { ...init, headers }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new CliError(`${url} does not answer (${cause}); is the server running?`)
  })
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => undefined)
  const { message = '', code = '', details } = isJsonObject(answer) ? answer : {}
  const text = `${url} answered ${response.status}${message ? `: ${printableLines(String(message))}` : ''}`
  throw new ServerRefusal(text, String(code), isJsonObject(details) ? details : {})
}
