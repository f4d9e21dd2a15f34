import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { CircuitsAnswer } from '@sluice/http'
import type { SourceStats } from '@sluice/pipeline'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { outputWidth } from '../../terminal/wrap.ts'
import { askServer, type ServerFlags, ServerRefusal } from '../ask-server.ts'
import { flowReport } from '../serve/report/flow-report.ts'

interface Stats {
  readonly workspaces: readonly { readonly workspaceId: string; readonly sources: readonly SourceStats[] }[]
}

interface Trace {
  readonly messageId: string
  readonly sourceId: string
  readonly acceptedAt?: string
  readonly destinations: readonly {
    readonly destinationId: string
    readonly outcome: string
    readonly stages: readonly { readonly stage: string; readonly outcome: string }[]
    readonly at?: string
    readonly reason?: string
    readonly code?: string
    readonly attempts?: number
    readonly tries?: readonly {
      readonly at: string
      readonly status?: number
      readonly code?: string
      readonly tookMs: number
    }[]
    readonly nextTryAt?: string
    readonly deadLetterIds: readonly string[]
  }[]
}

interface Changes {
  readonly data: readonly {
    readonly at: string
    readonly who: string
    readonly text: string
    readonly before?: string
    readonly after?: string
  }[]
}

interface Health {
  readonly status: string
  readonly reason?: string
  readonly warnings?: readonly unknown[]
  readonly processes?: readonly { readonly process: number; readonly reason: string }[]
}

type Circuit = CircuitsAnswer['workspaces'][number]['destinations'][number]

/** Runs `sluice stats`. The exit status is 1 when the sums do not agree. */
export async function showStats(flags: ServerFlags): Promise<void> {
  const stats = await askServer<Stats>(flags, 'GET', '/v1/stats')
  if (flags.json) return printJson(stats)
  for (const { workspaceId, sources } of stats.workspaces) {
    const named = {
      sources: sources.map(({ sourceId: id }) => ({ id, name: id })),
      destinations: [],
    }
    const { text, sumsAgree } = flowReport(named, sources, outputWidth())
    printLine(`Workspace ${printable(workspaceId)}\n\n${text}`)
    if (!sumsAgree) process.exitCode = 1
  }
}

/** Runs `sluice trace`. */
export async function showTrace(messageId: string, flags: ServerFlags): Promise<void> {
  const trace = await askServer<Trace>(flags, 'GET', `/v1/events/${encodeURIComponent(messageId)}`)
  if (flags.json) return printJson(trace)
  const { sourceId, acceptedAt, destinations } = trace
  const accepted = acceptedAt === undefined ? '' : `, accepted ${acceptedAt}`
  printLine(`${printable(trace.messageId)} of ${printable(sourceId)}${accepted}`)
  const rows = destinations.map(
    ({ destinationId, outcome, stages, at, reason = '', code, attempts, nextTryAt, ...rest }) => [
      printable(destinationId),
      outcome,
      stages.map((each) => `${each.stage} ${each.outcome}`).join(', '),
      [
        at ?? '',
        [code, printable(reason.split('\n', 1)[0] ?? '')].filter(Boolean).join(': '),
        attempts === undefined ? '' : `${attempts} attempts`,
        nextTryAt === undefined ? '' : `next try ${nextTryAt}`,
        rest.deadLetterIds.length === 0 ? '' : `dead letter ${rest.deadLetterIds.join(', ')}`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    ],
  )
  if (rows.length === 0) return printLine('No destination is connected to its source.')
  printLine(table([['destination', 'outcome', 'stages', ''], ...rows], 4))
  const tries = destinations.flatMap(({ destinationId, tries: made = [] }) =>
    made.map(({ at, status, code = '', tookMs }) => [
      printable(destinationId),
      at,
      status === undefined ? printable(code) : `status ${status}`,
      `${tookMs} ms`,
    ]),
  )
  if (tries.length > 0) printLine(`\n${table([['destination', 'tried', '', 'took'], ...tries], 3)}`)
}

/** Runs `sluice changes`. */
export async function showChanges(flags: ServerFlags & { readonly since?: string }): Promise<void> {
  const query = new URLSearchParams({ limit: '1000', ...(flags.since === undefined ? {} : { since: flags.since }) })
  const changes = await askServer<Changes>(flags, 'GET', `/v2/changes?${query}`)
  if (flags.json) return printJson(changes)
  if (changes.data.length === 0) return printLine('Nothing has changed.')
  const rows = changes.data.map(({ at, who, text, before, after }) => [
    at,
    printable(`${who} ${text}`),
    before === undefined || after === undefined ? '' : printable(`${before} → ${after}`),
  ])
  printLine(table(rows, 2))
}

/** Runs `sluice health`. The exit status is 1 when the server does not work normally. */
export async function showHealth(flags: ServerFlags): Promise<void> {
  const { url, json, timeMs = 10_000 } = flags
  const [health, ready] = await Promise.all([ask(url, '/health', timeMs), ask(url, '/ready', timeMs)])
  if (health.status !== 'ok' || ready.status !== 'ok') process.exitCode = 1
  const destinations = flags.token ? await readHealth(flags) : undefined
  if (json) return printJson({ health, ready, destinations })
  const { warnings = [], processes = [] } = health
  printLine(`health: ${textOf(health)}`)
  printLine(`ready:  ${textOf(ready)}`)
  for (const { process: number, reason } of processes) printLine(`process ${number}: ${printable(reason)}`)
  for (const warning of warnings) printLine(`warning: ${printable(JSON.stringify(warning))}`)
  if (destinations === undefined || destinations.length === 0) return
  const rows = destinations.map(({ destinationId, health: how, waiting, oldestAt, endedLately, failedLately }) => [
    printable(destinationId),
    how,
    `${waiting} ${waiting > 0 && oldestAt ? `since ${oldestAt}` : ''}`.trim(),
    `${failedLately} of ${endedLately}`,
  ])
  printLine(`\n${table([['destination', 'health', 'waiting', 'failed in 5 min'], ...rows], 4)}`)
}

/** Returns how the destinations do; undefined when the token does not show them. */
async function readHealth(flags: ServerFlags): Promise<readonly Circuit[] | undefined> {
  const answer = askServer<CircuitsAnswer>(flags, 'GET', '/v1/circuits').catch((error: unknown) => {
    if (error instanceof ServerRefusal) return undefined
    throw error
  })
  return (await answer)?.workspaces.flatMap(({ destinations }) => destinations)
}

const textOf = ({ status, reason }: Health): string => printable(reason === undefined ? status : `${status}, ${reason}`)

/** These routes need no credential, and 503 is an answer. */
async function ask(url: string, path: string, timeMs: number): Promise<Health> {
  if (!URL.canParse(path, url)) throw new CliError(`${url} is not the URL of a server`)
  const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(timeMs) }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new CliError(`${url} does not answer (${cause}); is the server running?`)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (typeof answer === 'object' && answer !== null && 'status' in answer) return answer as Health
  throw new CliError(`${url} answered ${response.status} to ${path}; is it a Sluice server?`)
}

function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2))
}
