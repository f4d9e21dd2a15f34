import { type Command, Option } from 'commander'
import { CliError } from './cli-error.ts'

export interface ServerFlags {
  readonly url: string
  readonly token?: string
  readonly json?: true
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
  { url, token }: ServerFlags,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Answer> {
  if (!token) throw new CliError('give an access token: SLUICE_TOKEN, or --token (sluice token create makes one)')
  if (!URL.canParse(path, url)) throw new CliError(`${url} is no address of a server`)
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeMs),
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new CliError(`${url} does not answer (${cause}); is the server running?`)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer as Answer
  if (response.ok) throw new CliError(`${url} answered something else than JSON; is it a Sluice server?`)
  const message = typeof answer === 'object' && answer !== null && 'message' in answer ? String(answer.message) : ''
  throw new CliError(`${url} answered ${response.status}${message ? `: ${message}` : ''}`)
}
