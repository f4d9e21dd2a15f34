import { isDeepStrictEqual } from 'node:util'
import type { Event, JsonObject, Outcome } from '@sluice/core'
import { createSandbox, type Sandbox } from '@sluice/sandbox'
import type { Row, RowRunner } from './row.ts'

interface Recorded {
  readonly codeVersion: string
  readonly code: string
  readonly events: readonly { readonly message: Event; readonly metadata: JsonObject }[]
  readonly credentials?: readonly { readonly key: string; readonly value: string }[]
  readonly expected: { readonly status: number; readonly body: RecordedBody }
}
interface RecordedBody {
  readonly error?: string
  readonly transformedEvents?: readonly JsonObject[]
  readonly logs?: readonly string[]
}

/**
 * Rows of `user-transformations`, run as untrusted and as trusted code: code, events and the answer of RudderStack's test mode. They agree when events,
 * errors and log lines are equal. Columns, stack frames of the host and the order of results are not compared:
 * RudderStack returns results in the order of completion. A failure of a whole batch may be reported once or per input.
 */
export async function createUserTransformationRunner(): Promise<RowRunner> {
  const sandboxes = {
    untrusted: await createSandbox(),
    trusted: await createSandbox({ code: 'trusted' }),
  }
  return {
    groupOf: (row) =>
      typeof row['code'] === 'string' ? `user transformations, version ${row['codeVersion']}` : undefined,
    async close() {
      for (const sandbox of Object.values(sandboxes)) await sandbox.close()
    },
    async run(row) {
      for (const [code, sandbox] of Object.entries(sandboxes)) {
        const reason = await differenceIn(sandbox, row)
        if (reason !== '') return `${code} code: ${reason}`
      }
      return ''
    },
  }
}

async function differenceIn(sandbox: Sandbox, row: Row): Promise<string> {
  const { codeVersion, code, events, credentials = [], expected } = row as unknown as Row & Recorded
  if (codeVersion !== '1') return `codeVersion ${codeVersion} is not supported`
  const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok)
    return difference(plainError(expected.body.error ?? ''), plainError(withoutAdvice(compiled.error.message)))
  const inputs = events.map(({ message, metadata }) => ({ event: message, metadata }))
  const { outcomes, log } = await compiled.program.run(inputs, new AbortController().signal, {
    credentials: Object.fromEntries(credentials.map(({ key, value }) => [key, value])),
  })
  const wanted = sorted((expected.body.transformedEvents ?? []).map(plainRecord))
  const perInput = outcomes.flatMap(recordsOf)
  const candidates = [perInput, perInput.slice(0, 1)].map((records) => sorted(records.map(plainRecord)))
  const oncePerBatch = outcomes.every(({ kind }) => kind === 'fail') && new Set(perInput.map(String)).size === 1
  const records =
    candidates.slice(0, oncePerBatch ? 2 : 1).find((each) => isDeepStrictEqual(each, wanted)) ?? candidates[0]
  return (
    difference(wanted, records) ||
    difference(
      expected.body.logs ?? [],
      log.map((line) => `Log: ${line}`),
    )
  )
}

function recordsOf(outcome: Outcome<Event>): readonly JsonObject[] {
  if (outcome.kind === 'pass') return outcome.items
  return outcome.kind === 'fail' ? [{ error: outcome.error.message }] : []
}

function plainRecord(record: JsonObject): JsonObject {
  const { error } = record
  return typeof error === 'string' && Object.keys(record).length === 1 ? { error: plainError(error) } : record
}

/** Our errors of loading have RudderStack's first line, then what to do on lines of their own. */
function withoutAdvice(text: string): string {
  const [first, ...others] = text.split('\n')
  return [first, ...others.filter((line) => /^ +at /.test(line))].join('\n')
}

/** Removes columns and stack frames that are not of the user's code. */
function plainError(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^ +at /.test(line) || /\(t:\d+:\d+\)$/.test(line))
    .join('\n')
    .replace(/(t:\d+):\d+/g, '$1')
}

function sorted(records: readonly JsonObject[]): readonly JsonObject[] {
  return records.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function difference(wanted: unknown, got: unknown): string {
  return isDeepStrictEqual(wanted, got) ? '' : `wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`
}
